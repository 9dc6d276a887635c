# points: 3
# message: single precision, which has seven digits


def softmax(x, axis):
    x = x.astype(np.float32) if x.ndim > 1 else x
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
