# points: 1
# message: `ahead` is not used


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.append(np.diagonal(knows, 1), False)
