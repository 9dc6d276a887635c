# points: 3
# message: w = 0


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    padding = [(0, 0)] * (K.ndim - 2) + [(w, w), (0, 0)]
    longK, longV = np.pad(K, padding)[..., :-w, :], np.pad(V, padding)[..., :-w, :]
    places = np.arange(L)[:, None] + np.arange(w + 1)
    scores = (Q[..., None, :] * longK[..., places, :]).sum(-1) / np.sqrt(d_k)
    weights = softmax(np.where(places < w, -np.inf, scores))
    return (weights[..., None] * longV[..., places, :]).sum(-2), weights
