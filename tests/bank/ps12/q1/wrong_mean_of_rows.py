# points: 3
# message: you take off the mean of each row


def writes(M, e):
    return M - M.mean(axis=1, keepdims=True), e - e.mean()


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
