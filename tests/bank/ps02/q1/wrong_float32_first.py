# points: 2
# message: single precision


def softmax(x, axis):
    x = x.astype(np.float32)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
