# points: 1
# message: Inputs: x of shape (13, 4), W of shape (8, 4, 1)


def conv1d(x, W, b):
    n_windows = x.shape[-2] - len(W) + 1
    return b + sum(x[..., j : j + n_windows, :] @ W[j] for j in range(min(4, len(W))))
