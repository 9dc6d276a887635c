def softmax(x, axis):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
