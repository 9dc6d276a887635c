# points: 0
# message: expected is (5, 8)


def bidirectional(x, forward, backward):
    both = [forward(x), backward(x[::-1])[::-1]]
    return np.concatenate([states[:, : x.shape[1]] for states in both], axis=1)
