# points: 1
# message: the maximum along `axis`, but the sum over the whole array


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum()
