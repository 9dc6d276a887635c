# points: 0
# message: it reads from the last to i


def bidirectional(x, forward, backward):
    rows = range(len(x))
    return np.array([np.r_[forward(x[: i + 1])[-1], backward(x[i:])[-1]] for i in rows])
