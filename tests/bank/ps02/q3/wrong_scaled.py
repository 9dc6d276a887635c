# points: 0
# message: The formula of the additive score has no divisor


def additive_scores(Q, K, W_q, W_k, v):
    scores = np.tanh((Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]) @ v
    return scores / np.sqrt(K.shape[-1])
