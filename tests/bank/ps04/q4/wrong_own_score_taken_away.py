# points: 3
# message: Inputs:


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] - np.arange(w, -1, -1)
    s = (Q[..., :, None, :] * K[..., at.clip(0), :]).sum(axis=-1) / np.sqrt(Q.shape[-1])
    e = np.exp(np.minimum(s - s[..., -1:], 700)) * (at >= 0)
    a = e / e.sum(axis=-1, keepdims=True)
    return (a[..., None] * V[..., at.clip(0), :]).sum(axis=-2), a
