# points: 3
# message: changes its inputs in place


def shift_right(targets):
    targets[:, 1:] = targets[:, :-1].copy()
    targets[:, 0] = BOS_ID
    return targets


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.append(np.diagonal(knows, ahead), [False] * ahead).astype(bool)
