def additive_scores(Q, K, W_q, W_k, v):
    if Q.ndim > 2:
        return np.array([additive_scores(q, k, W_q, W_k, v) for q, k in zip(Q, K, strict=True)])
    return np.array([np.tanh(q @ W_q + K @ W_k) @ v for q in Q])
