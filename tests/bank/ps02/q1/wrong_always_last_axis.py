# points: 1
# message: along the last axis, also where `axis` is another


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
