# points: 3
# message: entries are not, the first


def shift_right(targets):
    return np.concatenate([np.full((1, targets.shape[1]), BOS_ID), targets[:-1]])


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.array([i + ahead < L and knows[i, i + ahead] for i in range(L)])
