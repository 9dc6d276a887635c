# points: 1
# message: you update the rows one after the other


def shift_right(targets):
    read = np.full_like(targets, BOS_ID)
    read[:, 1:] = targets[:, :-1]
    return read


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    knows = [{i} for i in range(L)]
    for _ in range(n_layers):
        for i in range(L):
            for j in range(L):
                if allowed[i, j]:
                    knows[i] |= knows[j]
    return np.array([i + ahead in knows[i] for i in range(L)])
