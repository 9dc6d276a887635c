def cosine_lookup(queries, keys, values, beta):
    if queries.ndim > 2:
        out = np.empty((*queries.shape[:-1], values.shape[-1]))
        w = np.empty((*queries.shape[:-1], keys.shape[-2]))
        for b in range(len(queries)):
            out[b], w[b] = cosine_lookup(queries[b], keys[b], values[b], beta)
        return out, w
    lengths = np.outer(np.linalg.norm(queries, axis=1), np.linalg.norm(keys, axis=1))
    s = np.longdouble(beta) * (queries @ keys.T / lengths)
    w = np.exp(s - np.max(s, axis=1)[:, None])
    w = w / np.sum(w, axis=1)[:, None]
    return w @ values, w
