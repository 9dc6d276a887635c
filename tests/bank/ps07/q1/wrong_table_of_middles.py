# points: 2
# message: stops with KeyError


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k)
    weight[:, :, {1: 0, 3: 1, 5: 2}[k]] = W.T
    return weight, b
