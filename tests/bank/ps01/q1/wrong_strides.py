# points: 0
# message: The windows of your convolution do not overlap
def conv1d(x, W, b):
    k = len(W)
    starts = range(0, x.shape[-2] - k + 1, k)
    return np.stack([b + sum(x[..., i + j, :] @ W[j] for j in range(k)) for i in starts], axis=-2)
