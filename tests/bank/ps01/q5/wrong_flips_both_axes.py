# points: 0
# message: You turn round the numbers within each word, too


def bidirectional(x, forward, backward):
    return np.hstack([forward(x), np.flip(backward(np.flip(x)))])
