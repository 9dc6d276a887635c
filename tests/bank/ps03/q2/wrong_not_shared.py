# points: 3
# message: Each of the best keys gets 1


def limit_weights(scores):
    best = scores.max(axis=-1, keepdims=True)
    return ((scores == best) & np.isfinite(scores)).astype(float)
