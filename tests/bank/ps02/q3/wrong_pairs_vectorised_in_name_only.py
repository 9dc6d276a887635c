# points: 3
# message: You loop over all pairs


import math


def additive_scores(Q, K, W_q, W_k, v):
    unit = np.vectorize(lambda z: math.tanh(z))
    return unit((Q @ W_q)[..., :, None, :] + (K @ W_k)[..., None, :, :]) @ v
