# points: 3
# message: you put a number in the place of −∞


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] - np.arange(w, -1, -1)
    s = (Q[..., :, None, :] * K[..., at.clip(0), :]).sum(axis=-1) / np.sqrt(Q.shape[-1])
    s[..., at < 0] = -1e30
    a = softmax(s)
    return (a[..., None] * V[..., at.clip(0), :]).sum(axis=-2), a
