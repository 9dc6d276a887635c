# points: 1
# message: Your code stops with


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis))
    return powers / powers.sum(axis=axis)
