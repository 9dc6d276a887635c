# points: 0
# message: Your code stops with
def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    for j in range(len(W)):
        b += x[..., j : j + n, :] @ W[j]
    return b
