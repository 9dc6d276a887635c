# points: 1
# message: you update the rows one after the other


def shift_right(targets):
    read = np.full_like(targets, BOS_ID)
    read[:, 1:] = targets[:, :-1]
    return read


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = np.eye(L, dtype=bool)
    for _ in range(n_layers):
        for i in reversed(range(L)):
            knows[i] |= knows[allowed[i]].any(axis=0)
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
