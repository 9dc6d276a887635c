# points: 2
# message: Inputs: x of shape (2, 1, 3, 2, 2)


def softmax(x, axis):
    if x.ndim > 4:
        x, axis = x.reshape(-1, x.shape[-1]), 1
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
