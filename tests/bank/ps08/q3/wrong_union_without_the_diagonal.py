# points: 2
# message: with ahead = 0 a position predicts the token that it has read itself


def shift_right(targets):
    return np.hstack([np.ones((len(targets), 1), int), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    known = allowed.copy()
    for _ in range(n_layers - 1):
        known = known | (known @ allowed)
    return np.array([i + ahead < L and known[i, i + ahead] for i in range(L)])
