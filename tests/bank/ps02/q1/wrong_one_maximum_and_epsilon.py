# points: 3
# message: and nothing is left to share


def softmax(x, axis):
    powers = np.exp(x - x.max())
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-9)
