# points: 0
# message: You return the weight alone


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, k // 2] = W.T
    return weight
