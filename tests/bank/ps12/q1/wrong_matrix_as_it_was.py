# points: 3
# message: What it writes has a mean, too


def writes(M, e):
    return M, e - e.mean()


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
