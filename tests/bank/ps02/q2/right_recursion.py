def attention(Q, K, V):
    if Q.ndim > 2:
        keys = [K] * len(Q) if K.ndim == 2 else K
        values = [V] * len(Q) if V.ndim == 2 else V
        pairs = [attention(q, k, v) for q, k, v in zip(Q, keys, values)]
        outputs, weights = zip(*pairs)
        return np.stack(outputs), np.stack(weights)
    s = np.dot(Q, K.T) / np.sqrt(Q.shape[1])
    w = functional.softmax(s, axis=1)
    return np.dot(w, V), w
