# points: 0
# message: are in the order in which it reads
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x[::-1])], axis=-1)
