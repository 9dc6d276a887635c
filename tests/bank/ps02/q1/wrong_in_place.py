# points: 0
# message: changes its inputs in place


def softmax(x, axis):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
