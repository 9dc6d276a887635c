# points: 0
# message: changes its inputs in place


def bidirectional(x, forward, backward):
    left = forward(x)
    x[:] = x[::-1].copy()
    return np.hstack([left, backward(x)[::-1]])
