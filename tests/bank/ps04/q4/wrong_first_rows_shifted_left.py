# points: 3
# message: Near the beginning, where words see fewer, your weights stand too far left


def look_back_attention(Q, K, V, w):
    output, band = np.zeros(V.shape), np.zeros((*Q.shape[:-1], w + 1))
    for i in range(Q.shape[-2]):
        first = max(0, i - w)
        scores = (K[..., first : i + 1, :] @ Q[..., i, :, None])[..., 0]
        weights = softmax(scores / np.sqrt(Q.shape[-1]))
        output[..., i, :] = (weights[..., None, :] @ V[..., first : i + 1, :])[..., 0, :]
        band[..., i, : i + 1 - first] = weights
    return output, band
