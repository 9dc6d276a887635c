# points: 2
# message: the residual connection is missing


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = allowed
    for _ in range(n_layers - 1):
        knows = knows @ allowed
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
