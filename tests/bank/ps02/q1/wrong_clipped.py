# points: 2
# message: the largest difference is


def softmax(x, axis):
    powers = np.exp(np.clip(x, -80, 80))
    return powers / powers.sum(axis=axis, keepdims=True)
