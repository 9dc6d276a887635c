# points: 3
# message: one mean off all entries


def writes(M, e):
    return M - M.mean(), e - e.mean()


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
