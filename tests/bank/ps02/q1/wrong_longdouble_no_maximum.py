# points: 2
# message: Numbers with more digits only put off the overflow


def softmax(x, axis):
    powers = np.exp(x.astype(np.longdouble))
    return powers / powers.sum(axis=axis, keepdims=True)
