# points: 3
# message: the shape (4, 3) is right


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    pad = [(0, 0)] * (K.ndim - 2) + [(w, 0), (0, 0)]
    places = np.arange(L)[:, None] + np.arange(w + 1)
    weights = softmax((Q[..., None, :] * np.pad(K, pad)[..., places, :]).sum(-1) / np.sqrt(d_k))
    weights = np.where(places < w, 0, weights)
    total = weights.sum(-1, keepdims=True)
    alone = np.arange(w + 1) == w
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1), alone)
    return (weights[..., None] * np.pad(V, pad)[..., places, :]).sum(-2), weights
