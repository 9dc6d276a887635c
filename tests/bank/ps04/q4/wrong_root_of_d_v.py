# points: 0
# message: You divide by √d_v


def look_back_attention(Q, K, V, w):
    places = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    there = places >= 0
    places = np.maximum(places, 0)
    scores = (Q[..., :, None, :] * K[..., places, :]).sum(-1) / np.sqrt(V.shape[-1])
    weights = softmax(np.where(there, scores, -np.inf))
    return (weights[..., None] * V[..., places, :]).sum(-2), weights
