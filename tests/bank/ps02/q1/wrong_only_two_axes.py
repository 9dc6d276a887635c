# points: 2
# message: In some cases your entries sum to 1 along the last axis


def softmax(x, axis):
    if axis == 0:
        return softmax(x.T, -1).T
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
