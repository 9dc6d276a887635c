# points: 3
# message: take off the mean of M


def writes(M, e):
    return M - M.mean(axis=0), e - M.mean()


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
