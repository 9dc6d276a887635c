# points: 3
# message: A finite number stands in for −∞


def softmax(x, axis):
    x = np.where(np.isneginf(x), -1e9, x)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
