# points: 0
# message: away above the fraction line only


def softmax(x, axis):
    return np.exp(x - x.max(axis=axis, keepdims=True)) / np.exp(x).sum(axis=axis, keepdims=True)
