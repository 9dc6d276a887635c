def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    band = np.full((*Q.shape[:-1], w + 1), -np.inf)
    # every word sees itself, so that the running numbers begin with something finite
    top = (Q * K).sum(-1) / np.sqrt(Q.shape[-1])
    band[..., w] = top
    top, total, mixed = top.copy(), np.ones(top.shape), np.array(V, dtype=float)
    for back in range(1, w + 1):
        if back >= L:
            break  # nobody has so many words before
        s = (Q[..., back:, :] * K[..., :-back, :]).sum(-1) / np.sqrt(Q.shape[-1])
        band[..., back:, w - back] = s
        higher = np.maximum(top[..., back:], s)
        old, new = np.exp(top[..., back:] - higher), np.exp(s - higher)
        total[..., back:] = total[..., back:] * old + new
        mixed[..., back:, :] = mixed[..., back:, :] * old[..., None] + new[..., None] * V[..., :-back, :]
        top[..., back:] = higher
    return mixed / total[..., None], np.exp(band - top[..., None]) / total[..., None]
