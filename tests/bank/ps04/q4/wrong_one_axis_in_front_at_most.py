# points: 4
# message: Error


def look_back_attention(Q, K, V, w):
    if Q.ndim == 3:
        found = [look_back_attention(q, k, v, w) for q, k, v in zip(Q, K, V, strict=True)]
        return np.stack([output for output, _ in found]), np.stack([weights for _, weights in found])
    output, band = np.zeros(V.shape), np.zeros((len(Q), w + 1))
    for i in range(len(Q)):
        first = max(0, i - w)
        weights = softmax(K[first : i + 1] @ Q[i] / np.sqrt(Q.shape[-1]))
        output[i] = weights @ V[first : i + 1]
        band[i, first - i + w :] = weights
    return output, band
