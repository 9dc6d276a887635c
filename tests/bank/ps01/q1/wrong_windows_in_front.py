# points: 3
# message: Your windows are the first axis


def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k + 1
    return np.array([np.einsum("...jc,jco->...o", x[..., i : i + k, :], W) + b for i in range(n)])
