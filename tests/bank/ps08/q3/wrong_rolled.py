# points: 3
# message: the last column comes round to the front


def shift_right(targets):
    return np.roll(targets, 1, axis=1)


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.append(np.diagonal(knows, ahead), [False] * ahead).astype(bool)
