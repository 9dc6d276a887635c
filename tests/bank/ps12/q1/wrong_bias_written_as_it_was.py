# points: 3
# message: e is written, too


def writes(M, e):
    return M - M.mean(axis=0), e


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
