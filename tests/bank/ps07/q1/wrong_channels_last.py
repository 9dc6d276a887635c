# points: 0
# message: shape


def as_convolution(W, b, k):
    weight = torch.zeros(k, W.shape[0], W.shape[1], dtype=W.dtype)
    weight[k // 2] = W
    return weight, b
