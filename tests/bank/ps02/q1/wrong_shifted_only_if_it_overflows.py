# points: 3
# message: their exponentials are ∞ or 0


def softmax(x, axis):
    if x.max() > 700:
        x = x - x.max(axis=axis, keepdims=True)
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)
