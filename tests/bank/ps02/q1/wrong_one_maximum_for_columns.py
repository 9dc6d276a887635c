# points: 3
# message: The first entry along axis 1 is right, the second is not


def softmax(x, axis):
    largest = x.max() if axis == 0 else x.max(axis=axis, keepdims=True)
    powers = np.exp(x - largest)
    return powers / powers.sum(axis=axis, keepdims=True)
