# points: 1
# message: Your code stops with


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    total = powers.sum(axis=axis)
    if x.ndim == 2 and axis in (1, -1):
        return (powers.T / total).T
    return powers / total
