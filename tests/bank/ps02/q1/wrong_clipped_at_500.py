# points: 2
# message: You cut scores off at a largest size


def softmax(x, axis):
    powers = np.exp(np.clip(x, -500, 500))
    return powers / powers.sum(axis=axis, keepdims=True)
