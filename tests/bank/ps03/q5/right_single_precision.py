def value_gradient(queries, keys, values, targets, beta):
    o, w = (a.astype(np.float32) for a in look_up(queries, keys, values, beta))
    return w.T @ (o - targets.astype(np.float32))


def key_gradient(queries, keys, values, targets, beta):
    q, k, v, t = (a.astype(np.float32) for a in (queries, keys, values, targets))
    o, w = (a.astype(np.float32) for a in look_up(queries, keys, values, beta))
    a = np.float32(2 * beta) * w * np.einsum("ijv,iv->ij", v[None] - o[:, None], o - t)
    return np.einsum("ij,ijd->jd", a, q[:, None] - k[None])
