# points: 1
# message: you begin again at the


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.diagonal(np.roll(knows, -ahead, axis=1))
