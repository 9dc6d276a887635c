# points: 1
# message: Inputs: x of shape (5, 2)


def conv1d(x, W, b):
    kernel = W.squeeze()
    n = x.shape[-2] - len(W) + 1
    if kernel.ndim == 2 and len(W) == 1:
        return x @ kernel[:1] + b
    return sum(x[..., j : j + n, :] @ W[j] for j in range(len(W))) + b
