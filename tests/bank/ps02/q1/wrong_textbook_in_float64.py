# points: 2
# message: Take the largest score away before you take the exponential


def softmax(x, axis):
    powers = np.exp(x.astype(np.float64))
    return powers / np.sum(powers, axis=axis, keepdims=True)
