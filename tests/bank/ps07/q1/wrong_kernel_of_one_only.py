# points: 2
# message: has room for one place only


def as_convolution(W, b, k):
    return W.T[:, :, None], b
