# points: 3
# message: changes its inputs in place


def writes(M, e):
    M -= M.mean(axis=0)
    e -= e.mean()
    return M, e


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
