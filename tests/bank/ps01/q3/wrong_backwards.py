# points: 0
# message: You read the words from the last to the first


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i in reversed(range(len(x))):
        h = states[i] = np.tanh(x[i] @ W_x + h @ W_h + b)
    return states
