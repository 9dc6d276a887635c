# points: 0
# message: changes its inputs in place
def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    y = sum(x[..., j : j + n, :] @ W[j] for j in range(len(W))) + b
    x *= 0
    return y
