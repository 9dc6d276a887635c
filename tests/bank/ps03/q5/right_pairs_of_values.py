def value_gradient(queries, keys, values, targets, beta):
    _, w = look_up(queries, keys, values, beta)
    miss = np.einsum("il,ilv->iv", w, values[None, :, :] - targets[:, None, :])
    return w.T @ miss


def key_gradient(queries, keys, values, targets, beta):
    _, w = look_up(queries, keys, values, beta)
    miss = np.einsum("il,ilv->iv", w, values[None, :, :] - targets[:, None, :])
    between = values[:, None, :] - values[None, :, :]  # (j, l, d_v)
    moved = np.einsum("il,jlv->ijv", w, between)
    share = beta * w * np.einsum("ijv,iv->ij", moved, miss)
    return 2 * np.einsum("ij,ijd->jd", share, queries[:, None, :] - keys[None, :, :])
