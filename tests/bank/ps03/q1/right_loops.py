def cosine_lookup(queries, keys, values, beta):
    if queries.ndim > 2:
        pairs = [cosine_lookup(q, k, v, beta) for q, k, v in zip(queries, keys, values)]
        return np.stack([o for o, _ in pairs]), np.stack([w for _, w in pairs])
    weights = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            weights[i, j] = beta * (q @ k) / (np.linalg.norm(q) * np.linalg.norm(k))
        weights[i] -= weights[i].max()
        weights[i] = np.exp(weights[i])
        weights[i] /= weights[i].sum()
    return weights @ values, weights
