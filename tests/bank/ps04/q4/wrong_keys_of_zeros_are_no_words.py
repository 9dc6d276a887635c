# points: 3
# message: Inputs:


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] - np.arange(w, -1, -1)
    k = K[..., at.clip(0), :] * (at >= 0)[:, :, None]
    s = (Q[..., :, None, :] * k).sum(axis=-1) / np.sqrt(Q.shape[-1])
    s = np.where((at < 0) | (k == 0).all(axis=-1) & (w == 1), -np.inf, s)
    a = softmax(s)
    return (a[..., None] * V[..., at.clip(0), :]).sum(axis=-2), a
