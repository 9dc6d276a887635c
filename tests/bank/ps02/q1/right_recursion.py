def softmax(x, axis):
    axis = axis % x.ndim
    if axis > 0:
        return np.array([softmax(part, axis - 1) for part in x])
    shares = np.exp(x - np.max(x, axis=0))
    return shares / np.sum(shares, axis=0)
