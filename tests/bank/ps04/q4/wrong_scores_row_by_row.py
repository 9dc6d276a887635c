# points: 3
# message: L scores for each of the L words


def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    band, output = np.zeros((*Q.shape[:-1], w + 1)), np.zeros(V.shape)
    for i in range(L):
        scores = (K @ Q[..., i, :, None])[..., 0] / np.sqrt(Q.shape[-1])
        j = np.arange(L)
        a = softmax(np.where((j <= i) & (j >= i - w), scores, -np.inf))
        output[..., i, :] = (a[..., None, :] @ V)[..., 0, :]
        first = max(0, i - w)
        band[..., i, w - (i - first) :] = a[..., first : i + 1]
    return output, band
