# points: 3
# message: a copy of all rows so far at each step


def look_back_attention(Q, K, V, w):
    if Q.ndim > 2:
        found = [look_back_attention(q, k, v, w) for q, k, v in zip(Q, K, V, strict=True)]
        return np.stack([output for output, _ in found]), np.stack([weights for _, weights in found])
    output, band = np.zeros((0, V.shape[-1])), np.zeros((0, w + 1))
    for i in range(len(Q)):
        first = max(0, i - w)
        weights = softmax(K[first : i + 1] @ Q[i] / np.sqrt(Q.shape[-1]))
        output = np.vstack([output, weights @ V[first : i + 1]])
        band = np.vstack([band, np.concatenate([np.zeros(w - (i - first)), weights])])
    return output, band
