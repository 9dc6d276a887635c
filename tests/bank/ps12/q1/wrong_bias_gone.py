# points: 3
# message: you return zeros


def writes(M, e):
    return M - M.mean(axis=0), np.zeros_like(e)


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
