# points: 0
# message: Your backward reader reads forwards
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x[:, ::-1])[:, ::-1]], axis=-1)
