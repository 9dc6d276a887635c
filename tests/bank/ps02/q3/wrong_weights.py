# points: 0
# message: You return weights, after a softmax


def additive_scores(Q, K, W_q, W_k, v):
    scores = np.tanh((Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]) @ v
    return functional.softmax(scores, axis=-1)
