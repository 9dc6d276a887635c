# points: 2
# message: NotImplementedError


def writes(M, e):
    raise NotImplementedError


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
