# points: 0
# message: You take the mean over the places of the kernel


def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    return np.mean([x[..., j : j + n, :] @ W[j] for j in range(len(W))], axis=0) + b
