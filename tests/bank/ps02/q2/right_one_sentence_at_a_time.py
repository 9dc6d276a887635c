def attention(Q, K, V):
    if Q.ndim > 2:
        keys = K if K.ndim > 2 else [K] * len(Q)
        values = V if V.ndim > 2 else [V] * len(Q)
        found = [attention(*sentence) for sentence in zip(Q, keys, values, strict=True)]
        return np.array([output for output, _ in found]), np.array([weights for _, weights in found])
    weights = functional.softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return weights @ V, weights
