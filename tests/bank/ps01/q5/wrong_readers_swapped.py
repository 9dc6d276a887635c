# points: 0
# message: The two readers have changed places


def bidirectional(x, forward, backward):
    return np.hstack([backward(x), forward(x[::-1])[::-1]])
