def softmax(x, axis):
    wide = x.astype(np.longdouble)
    powers = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
