# points: 0
# message: The last word of each window is not multiplied


def conv1d(x, W, b):
    k = len(W)
    n = x.shape[-2] - k + 1
    y = np.zeros((*x.shape[:-2], n, W.shape[2])) + b
    for j in range(k - 1):
        y += x[..., j : j + n, :] @ W[j]
    return y
