# points: 2
# message: W stands at the first place


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k, dtype=W.dtype)
    weight[:, :, 0] = W.T
    return weight, b
