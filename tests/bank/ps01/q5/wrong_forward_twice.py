# points: 0
# message: Both halves come from the forward reader


def bidirectional(x, forward, backward):
    return np.hstack([forward(x), forward(x[::-1])[::-1]])
