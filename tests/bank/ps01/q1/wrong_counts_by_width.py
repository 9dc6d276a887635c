# points: 1
# message: In some cases the last window is missing


def conv1d(x, W, b):
    n_windows = x.shape[-2] - len(W) + (x.shape[-1] < 4)
    return b + sum(x[..., j : j + n_windows, :] @ W[j] for j in range(len(W)))
