# points: 1
# message: You take the maximum along the last axis and the sum along


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
