# points: 3
# message: you divide by the gain


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    return W / gain, W @ bias + c
