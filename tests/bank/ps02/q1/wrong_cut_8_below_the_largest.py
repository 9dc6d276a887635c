# points: 3
# message: You cut off how far a score may lie below the largest


def softmax(x, axis):
    below = x - x.max(axis=axis, keepdims=True)
    powers = np.where(np.isneginf(below), 0.0, np.exp(np.maximum(below, -8)))
    return powers / powers.sum(axis=axis, keepdims=True)
