# points: 3
# message: your result is NaN


def limit_weights(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    e = np.where(shifted == 0, 1.0, 0.0 * np.exp(shifted))
    return e / e.sum(axis=-1, keepdims=True)
