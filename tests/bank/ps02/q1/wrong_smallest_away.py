# points: 2
# message: You take the smallest score away


def softmax(x, axis):
    powers = np.exp(x - x.min(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
