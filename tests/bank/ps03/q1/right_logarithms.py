def cosine_lookup(queries, keys, values, beta):
    unit = lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True)
    scores = beta * unit(queries) @ np.moveaxis(unit(keys), -1, -2)
    log_total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - log_total)
    return weights @ values, weights
