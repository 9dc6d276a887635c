# points: 1
# message: You normalise the whole array


def softmax(x, axis):
    powers = np.exp(x - x.max())
    return powers / powers.sum()
