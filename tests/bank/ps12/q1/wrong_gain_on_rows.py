# points: 3
# message: the gain multiplies


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    return (W.T * gain).T if len(W) == len(gain) else W * gain[: W.shape[1]], W @ bias + c
