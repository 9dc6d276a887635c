# points: 3
# message: Does a finite number stand in for it


def softmax(x, axis):
    x = np.where(x == -np.inf, -1e150, x)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
