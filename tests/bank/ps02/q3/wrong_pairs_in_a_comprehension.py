# points: 3
# message: You loop over all pairs


def additive_scores(Q, K, W_q, W_k, v):
    a, b = Q @ W_q, K @ W_k
    if Q.ndim > 2:
        return np.array([additive_scores(q, k, W_q, W_k, v) for q, k in zip(Q, K, strict=True)])
    return np.array([[np.tanh(q + k) @ v for k in b] for q in a])
