# points: 0
# message: not in single precision


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k, dtype=torch.float64)
    weight[:, :, k // 2] = W.T
    return weight, b.double()
