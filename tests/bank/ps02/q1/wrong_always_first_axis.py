# points: 0
# message: along the first axis, whatever `axis` is


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)
