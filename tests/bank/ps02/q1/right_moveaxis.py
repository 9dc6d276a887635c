def softmax(x, axis):
    last = np.moveaxis(np.array(x, dtype=float), axis, -1)
    last -= last.max(axis=-1)[..., np.newaxis]
    np.exp(last, out=last)
    last /= np.sum(last, axis=-1)[..., np.newaxis]
    return np.moveaxis(last, -1, axis)
