# points: 3
# message: so that the shape stays


def shift_right(targets):
    return np.pad(targets, ((0, 0), (1, 0)), constant_values=BOS_ID)


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.append(np.diagonal(knows, ahead), [False] * ahead).astype(bool)
