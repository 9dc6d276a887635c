# points: 0
# message: You turn round the numbers within each word, too


def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(np.flip(x))[::-1]], axis=1)
