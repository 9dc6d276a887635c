# points: 2
# message: You take the mean of the finite scores away


def softmax(x, axis):
    m = np.nanmean(np.where(np.isneginf(x), np.nan, x), axis=axis, keepdims=True)
    e = np.exp(x - m)
    return e / e.sum(axis=axis, keepdims=True)
