# points: 0
# message: Your kernel is applied back to front
def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k + 1
    return b + sum(x[..., j : j + n, :] @ W[k - 1 - j] for j in range(k))
