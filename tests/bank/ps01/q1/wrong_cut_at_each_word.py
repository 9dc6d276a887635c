# points: 0
# message: the largest error is


def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    y = np.zeros((*x.shape[:-2], n, W.shape[2]), dtype=int)
    for j in range(len(W)):
        y[...] = y + x[..., j : j + n, :] @ W[j]
    return y + b
