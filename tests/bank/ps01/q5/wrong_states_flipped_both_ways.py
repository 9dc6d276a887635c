# points: 0
# message: You turn round the numbers within each state, too


def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), np.flip(backward(x[::-1]))], axis=1)
