# points: 1
# message: you ask for token i + ahead + 1


def shift_right(targets):
    read = np.full_like(targets, BOS_ID)
    read[:, 1:] = targets[:, :-1]
    return read


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ (allowed | np.eye(L, dtype=bool))
    return np.array([i + ahead + 1 < L and knows[i, i + ahead + 1] for i in range(L)])
