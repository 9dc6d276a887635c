# points: 2
# message: np.nan_to_num hides


def softmax(x, axis):
    powers = np.exp(x)
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))
