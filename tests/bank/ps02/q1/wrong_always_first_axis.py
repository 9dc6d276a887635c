# points: 1
# message: along the first axis, also where `axis` is another


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)
