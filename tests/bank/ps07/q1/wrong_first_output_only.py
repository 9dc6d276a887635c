# points: 0
# message: Only the first output has its weights


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[0, :, k // 2] = W[:, 0]
    return weight, b
