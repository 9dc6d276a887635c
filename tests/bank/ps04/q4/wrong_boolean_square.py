# points: 3
# message: something of size L × L


def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    allowed = np.tri(L, dtype=bool)
    at = np.arange(L)[:, None] + np.arange(-w, 1)
    there = (at >= 0) & allowed[np.arange(L)[:, None], at.clip(0)]
    scores = np.einsum("...id,...iod->...io", Q, K[..., at.clip(0), :]) / np.sqrt(Q.shape[-1])
    A = softmax(np.where(there, scores, -np.inf))
    return np.einsum("...io,...iod->...id", A, V[..., at.clip(0), :]), A
