# points: 2
# message: overflows


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step = (allowed | np.eye(L, dtype=bool)).astype(int)
    knows = np.eye(L, dtype=int)
    for _ in range(n_layers):
        knows = knows @ step
    return np.array([i + ahead < L and knows[i, i + ahead] > 0 for i in range(L)])
