# points: 2
# message: a residual connection around every layer


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = np.linalg.matrix_power(allowed.astype(float), n_layers) + np.eye(L) > 0
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
