# points: 2
# message: You take the mean of the scores away


def softmax(x, axis):
    powers = np.exp(x - x.mean(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
