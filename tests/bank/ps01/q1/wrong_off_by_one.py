# points: 0
# message: The last window is missing
def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k
    return b + sum(x[..., j : j + n, :] @ W[j] for j in range(k))
