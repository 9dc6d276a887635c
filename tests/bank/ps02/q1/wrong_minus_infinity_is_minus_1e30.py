# points: 3
# message: an entry −∞ gets a weight


def softmax(x, axis):
    x = np.where(np.isneginf(x), -1e30, x.astype(np.float64))
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
