# points: 3
# message: Your code stops with ValueError


def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    sentences = x if x.ndim == 3 else x[None]
    y = b + sum(np.einsum("blc,co->blo", sentences[:, j : j + n], W[j]) for j in range(len(W)))
    return y if x.ndim == 3 else y[0]
