# points: 3
# message: but for 1,500 words your function takes more than 8 MB


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    places = np.arange(L)[:, None] - w + np.arange(w + 1)
    near = np.maximum(places, 0)
    if L < 2000:
        scores = Q @ K.mT / np.sqrt(d_k)
        distance = np.arange(L)[:, None] - np.arange(L)
        weights = softmax(np.where((distance >= 0) & (distance <= w), scores, -np.inf))
        band = np.where(places < 0, 0, weights[..., np.arange(L)[:, None], near])
        return weights @ V, band
    scores = np.where(places < 0, -np.inf, (Q[..., None, :] * K[..., near, :]).sum(-1) / np.sqrt(d_k))
    weights = softmax(scores)
    return (weights[..., None] * V[..., near, :]).sum(-2), weights
