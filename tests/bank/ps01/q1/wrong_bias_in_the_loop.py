# points: 0
# message: You add the bias once for every place of the kernel
def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    y = 0
    for j in range(len(W)):
        y = y + x[..., j : j + n, :] @ W[j] + b
    return y
