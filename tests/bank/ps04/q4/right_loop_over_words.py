def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape[-2:]
    output = np.zeros(V.shape)
    band = np.zeros((*Q.shape[:-1], w + 1))
    for i in range(L):
        first = max(0, i - w)
        scores = np.einsum("...d,...jd->...j", Q[..., i, :], K[..., first : i + 1, :]) / np.sqrt(d_k)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        band[..., i, w + 1 - weights.shape[-1] :] = weights
        output[..., i, :] = np.einsum("...j,...jd->...d", weights, V[..., first : i + 1, :])
    return output, band
