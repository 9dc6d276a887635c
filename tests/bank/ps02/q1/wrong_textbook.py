# points: 2
# message: Take the largest score away before you take the exponential


def softmax(x, axis):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)
