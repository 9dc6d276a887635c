# points: 0
# message: The tanh is missing


def additive_scores(Q, K, W_q, W_k, v):
    return ((Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]) @ v
