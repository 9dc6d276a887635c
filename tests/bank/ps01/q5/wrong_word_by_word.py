# points: 0
# message: You hand each word to the readers by itself


def bidirectional(x, forward, backward):
    return np.array(
        [np.concatenate([forward(x[i : i + 1])[0], backward(x[i : i + 1])[0]]) for i in range(len(x))]
    )
