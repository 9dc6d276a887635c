# points: 3
# message: IndexError


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    places = np.arange(L)[:, None] - w + np.arange(w + 1)
    scores = (Q[..., None, :] * K[..., places, :]).sum(axis=-1) / np.sqrt(d_k)
    weights = softmax(np.where(places < 0, -np.inf, scores))
    return (weights[..., None] * V[..., places, :]).sum(axis=-2), weights
