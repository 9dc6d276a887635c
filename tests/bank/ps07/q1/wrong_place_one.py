# points: 2
# message: W stands at place 1


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, 1 if k > 1 else 0] = W.T
    return weight, b
