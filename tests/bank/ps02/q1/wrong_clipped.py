# points: 2
# message: You cut scores off at a largest size


def softmax(x, axis):
    powers = np.exp(np.clip(x, -80, 80))
    return powers / powers.sum(axis=axis, keepdims=True)
