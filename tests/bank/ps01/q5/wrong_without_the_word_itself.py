# points: 0
# message: but not word i itself


def bidirectional(x, forward, backward):
    back = np.zeros_like(backward(x))
    back[:-1] = backward(x[::-1])[::-1][1:]
    return np.hstack([forward(x), back])
