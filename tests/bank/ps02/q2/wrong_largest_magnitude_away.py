# points: 3
# message: your result is NaN


def attention(Q, K, V):
    s = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(K.shape[-1])
    e = np.exp(s - np.abs(s).max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights
