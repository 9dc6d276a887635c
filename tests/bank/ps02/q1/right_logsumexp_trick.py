def softmax(x, axis):
    m = x.max(axis=axis, keepdims=True)
    return np.exp(x - (m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))))
