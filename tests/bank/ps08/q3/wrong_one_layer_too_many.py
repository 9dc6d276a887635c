# points: 1
# message: you count one layer too many


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step = allowed | np.eye(L, dtype=bool)
    knows = step
    for _ in range(n_layers):
        knows = knows @ step
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
