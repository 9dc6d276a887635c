# points: 2
# message: your result has shape (5, 5); expected is (5, 1)


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    places = np.arange(L)[:, None] - w + np.arange(w + 1)
    near = np.maximum(places, 0)
    scores = (K[..., near, :] @ Q[..., :, None]).squeeze() / np.sqrt(d_k)
    weights = softmax(np.where(places < 0, -np.inf, scores))
    return (weights[..., None] * V[..., near, :]).sum(-2), weights
