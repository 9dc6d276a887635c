# points: 1
# message: you leave out the last positions


def shift_right(targets):
    return np.hstack([np.ones((len(targets), 1), int), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step = allowed | np.eye(L, dtype=bool)
    return np.diagonal(np.linalg.matrix_power(step, n_layers), ahead)
