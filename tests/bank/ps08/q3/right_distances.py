def shift_right(targets):
    read = targets.copy()
    for row in read:
        row[1:] = row[:-1].copy()
        row[0] = BOS_ID
    return read


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    distance = np.where(allowed, 1.0, np.inf)
    np.fill_diagonal(distance, 0)
    for m in range(L):  # the shortest way from looker to token, by way of others
        distance = np.minimum(distance, distance[:, [m]] + distance[m])
    return np.array([i + ahead < L and distance[i, i + ahead] <= n_layers for i in range(L)])
