# points: 2
# message: expected is a pair


def writes(M, e):
    return M - M.mean(axis=0)


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
