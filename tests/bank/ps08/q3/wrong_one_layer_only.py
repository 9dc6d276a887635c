# points: 2
# message: one look at the mask is not enough


def shift_right(targets):
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    return np.array([i + ahead < L and (allowed[i, i + ahead] or ahead == 0) for i in range(L)])
