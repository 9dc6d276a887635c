# points: 2
# message: You take the largest magnitude away


def softmax(x, axis):
    finite = np.where(np.isfinite(x), x, 0)
    powers = np.exp(x - np.abs(finite).max(axis=axis, keepdims=True))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-300)
