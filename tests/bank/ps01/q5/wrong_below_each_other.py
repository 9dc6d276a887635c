# points: 0
# message: The two halves stand below each other
def bidirectional(x, forward, backward):
    return np.concatenate([forward(x), backward(x[::-1])[::-1]])
