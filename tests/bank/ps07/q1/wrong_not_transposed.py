# points: 0
# message: Your weight is not transposed


def as_convolution(W, b, k):
    weight = torch.zeros(*W.shape, k, dtype=W.dtype)
    weight[:, :, k // 2] = W
    return weight, b
