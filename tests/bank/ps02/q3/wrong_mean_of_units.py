# points: 0
# message: You take the mean of the hidden units


def additive_scores(Q, K, W_q, W_k, v):
    return (np.tanh((Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]) * v).mean(axis=-1)
