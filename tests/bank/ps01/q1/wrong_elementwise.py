# points: 0
# message: Your code stops with


def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k + 1
    return sum(x[..., j : j + n, :] * W[j] for j in range(k)) + b
