# points: 0
# message: The first window is missing


def conv1d(x, W, b):
    k = len(W)
    windows = [
        np.einsum("...kc,kco->...o", x[..., i - k : i, :], W) + b for i in range(k + 1, x.shape[-2] + 1)
    ]
    return np.stack(windows, axis=-2) if windows else np.zeros((*x.shape[:-2], 0, len(b)))
