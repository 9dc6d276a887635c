# points: 0
# message: cut to whole numbers


def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k + 1
    y = np.zeros((*x.shape[:-2], n, W.shape[2]), dtype=int)
    for i in range(n):
        y[..., i, :] = np.einsum("...kc,kco->...o", x[..., i : i + k, :], W) + b
    return y
