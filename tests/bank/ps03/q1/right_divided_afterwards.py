def cosine_lookup(queries, keys, values, beta):
    dots = np.matmul(queries, np.swapaxes(keys, -1, -2))
    lengths_q = np.linalg.norm(queries, axis=-1)[..., :, None]
    lengths_k = np.linalg.norm(keys, axis=-1)[..., None, :]
    cosines = dots / lengths_q / lengths_k

    scores = beta * (cosines - cosines.max(-1, keepdims=True))
    weights = np.exp(scores)
    weights = weights / weights.sum(-1)[..., None]
    return [np.matmul(weights, values), weights]
