def limit_weights(scores):
    weights = np.zeros(scores.shape)
    for index in np.ndindex(*scores.shape[:-1]):
        row = list(scores[index])
        if max(row) == -np.inf:
            continue
        n = row.count(max(row))
        for j, s in enumerate(row):
            if s == max(row):
                weights[index + (j,)] = 1 / n
    return weights
