# points: 0
# message: the largest difference is
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x)[::-1]], axis=-1)
