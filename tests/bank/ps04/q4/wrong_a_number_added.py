# points: 3
# message: Where no word is you add a number


def look_back_attention(Q, K, V, w):
    places = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    gone = np.where(places < 0, -1e9, 0.0)
    places = np.maximum(places, 0)
    scores = (Q[..., :, None, :] * K[..., places, :]).sum(-1) / np.sqrt(Q.shape[-1])
    weights = softmax(scores + gone)
    return (weights[..., None] * V[..., places, :]).sum(-2), weights
