# points: 3
# message: the bias is multiplied by the gain


def writes(M, e):
    return M - M.mean(axis=0), e - e.mean()


def reads(W, c, gain, bias):
    W = W * gain
    return W, W @ bias + c
