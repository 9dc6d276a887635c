# points: 2
# message: divided by the spread


def writes(M, e):
    with np.errstate(all="ignore"):
        return (M - M.mean(axis=0)) / M.std(axis=0), (e - e.mean()) / e.std()


def reads(W, c, gain, bias):
    return W * gain, W @ bias + c
