def limit_weights(scores):
    best = scores.max(axis=-1, keepdims=True)
    w = np.where((scores == best) & (best != -np.inf), 1.0, 0.0)
    n = w.sum(axis=-1, keepdims=True)
    n[n == 0] = 1
    return w / n
