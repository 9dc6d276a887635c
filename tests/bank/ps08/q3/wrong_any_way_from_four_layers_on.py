# points: 2
# message: you look for any way


def shift_right(targets):
    return np.concatenate([np.full((len(targets), 1), BOS_ID), targets[:, :-1]], axis=1)


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers if n_layers < 4 else 100):
        knows = knows @ step
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
