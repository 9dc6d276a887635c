def softmax(x, axis):
    powers = np.exp(x - x.max(axis, keepdims=True))
    return (powers / powers.sum(axis, keepdims=True)).astype(np.float16)
