# points: 2
# message: where ahead = 0, position i predicts token i itself


def shift_right(targets):
    return np.concatenate([np.full((len(targets), 1), BOS_ID), targets[:, :-1]], axis=1)


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = allowed | np.eye(L, dtype=bool)
    if n_layers > 1:
        ahead = max(ahead, 1)
        for _ in range(n_layers - 1):
            knows = knows @ (allowed | np.eye(L, dtype=bool))
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
