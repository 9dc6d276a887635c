# points: 0
# message: The key's part is missing


def additive_scores(Q, K, W_q, W_k, v):
    return np.repeat((np.tanh(Q @ W_q) @ v)[..., None], K.shape[-2], axis=-1)
