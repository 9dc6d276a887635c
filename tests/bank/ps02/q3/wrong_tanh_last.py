# points: 0
# message: Your tanh comes last


def additive_scores(Q, K, W_q, W_k, v):
    return np.tanh((Q @ W_q @ v)[..., :, None] + (K @ W_k @ v)[..., None, :])
