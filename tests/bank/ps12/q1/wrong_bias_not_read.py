# points: 3
# message: W reads the bias, too


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    return W * gain, c
