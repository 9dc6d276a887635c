def convolve(x, W, b):
    return np.array(
        [np.tensordot(x[i : i + len(W)], W, axes=([0, 1], [0, 1])) + b for i in range(len(x) - len(W) + 1)]
    )


def conv1d(x, W, b):
    if x.ndim == 2:
        return convolve(x, W, b)
    return np.array([conv1d(sentence, W, b) for sentence in x])
