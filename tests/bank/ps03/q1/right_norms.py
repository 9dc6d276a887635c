def cosine_lookup(queries, keys, values, beta):
    q = queries / np.sqrt((queries**2).sum(axis=-1, keepdims=True))
    k = keys / np.sqrt((keys**2).sum(axis=-1, keepdims=True))
    s = beta * np.einsum("...id,...jd->...ij", q, k)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    w = e / np.sum(e, axis=-1, keepdims=True)
    return np.einsum("...ij,...jv->...iv", w, values), w
