# points: 2
# message: has shape


def as_convolution(W, b, k):
    k = min(k, 7)
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, k // 2] = W.T
    return weight, b
