# points: 3
# message: c itself is lost


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    return W * gain, W @ bias
