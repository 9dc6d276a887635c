# points: 0
# message: Your result is an array


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k, dtype=W.dtype)
    weight[:, :, k // 2] = W.T
    return weight
