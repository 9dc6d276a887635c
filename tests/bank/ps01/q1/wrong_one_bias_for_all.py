# points: 0
# message: You add the first entry of b to all outputs


def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    return sum(x[..., j : j + n, :] @ W[j] for j in range(len(W))) + b[0]
