# points: 0
# message: Query and key each get a tanh of their own


def additive_scores(Q, K, W_q, W_k, v):
    return (np.tanh(Q @ W_q) @ v)[..., :, None] + (np.tanh(K @ W_k) @ v)[..., None, :]
