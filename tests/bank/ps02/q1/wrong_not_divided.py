# points: 0
# message: that are not divided by their sum


def softmax(x, axis):
    return np.exp(x - x.max(axis=axis, keepdims=True))
