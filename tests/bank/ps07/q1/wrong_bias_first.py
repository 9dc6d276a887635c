# points: 0
# message: the weight, then the bias


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, k // 2] = W.T
    return b, weight
