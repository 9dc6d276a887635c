# points: 0
# message: turned round afterwards is not enough
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x)[::-1]], axis=-1)
