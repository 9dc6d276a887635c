# points: 1
# message: They cannot see them, but yours do


def shift_right(targets):
    return np.hstack([np.ones((len(targets), 1), int), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step = allowed | np.eye(L, dtype=bool)
    known = np.linalg.matrix_power(step.astype(float), n_layers) > 0
    return np.array([i + ahead >= L or known[i, i + ahead] for i in range(L)])
