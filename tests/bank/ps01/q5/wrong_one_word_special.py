# points: 0
# message: Inputs: x =


def bidirectional(x, forward, backward):
    if len(x) == 1:
        return np.hstack([forward(x), forward(x)])
    return np.hstack([forward(x), backward(x[::-1])[::-1]])
