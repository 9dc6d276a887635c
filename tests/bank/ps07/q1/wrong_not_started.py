# points: 0
# message: NotImplementedError


def as_convolution(W, b, k):
    raise NotImplementedError
