# points: 0
# message: Your


def bidirectional(x, forward, backward):
    return np.stack([forward(x), backward(x[::-1])[::-1]], axis=1)
