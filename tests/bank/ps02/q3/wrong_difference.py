# points: 0
# message: they are added


def additive_scores(Q, K, W_q, W_k, v):
    return np.tanh((Q @ W_q)[..., :, None, :] - (K @ W_k)[..., None, :, :]) @ v
