# points: 1
# message: In some cases the last window is missing


def conv1d(x, W, b):
    k, half = len(W), len(W) // 2
    middle = range(half, x.shape[-2] - half)
    windows = [np.einsum("...kc,kco->...o", x[..., i - half : i - half + k, :], W) + b for i in middle]
    return np.stack(windows, axis=-2) if windows else np.zeros((*x.shape[:-2], 0, len(b)))
