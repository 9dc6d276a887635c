# points: 3
# message: You take one maximum for the whole array


def softmax(x, axis):
    powers = np.exp(x - np.max(x))
    return powers / powers.sum(axis=axis, keepdims=True)
