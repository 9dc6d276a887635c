# points: 2
# message: along the last axis, although `axis` is another


def softmax(x, axis):
    last = x.ndim - 1
    turned = np.moveaxis(x, axis if axis >= 0 else last, -1)
    powers = np.exp(turned - turned.max(-1, keepdims=True))
    shares = powers / powers.sum(-1, keepdims=True)
    return np.moveaxis(shares, -1, axis if axis >= 0 else last)
