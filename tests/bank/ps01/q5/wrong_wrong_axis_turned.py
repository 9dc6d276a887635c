# points: 0
# message: You turn round the numbers within each word, not the words
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x[:, ::-1])[:, ::-1]], axis=-1)
