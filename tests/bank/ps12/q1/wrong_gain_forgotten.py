# points: 3
# message: the gain is missing


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    return W, W @ bias + c
