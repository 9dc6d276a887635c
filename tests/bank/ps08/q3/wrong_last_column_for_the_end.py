# points: 1
# message: you ask for the last column


def shift_right(targets):
    return np.hstack([np.ones((len(targets), 1), int), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    known = np.linalg.matrix_power(allowed | np.eye(L, dtype=bool), n_layers)
    return np.array([known[i, min(i + ahead, L - 1)] for i in range(L)])
