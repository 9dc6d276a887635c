# points: 0
# message: NotImplementedError


def writes(M, e):
    raise NotImplementedError


def reads(W, c, gain, bias):
    raise NotImplementedError
