# points: 2
# message: one place behind the middle


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, min((k + 1) // 2, k - 1)] = W.T
    return weight, b
