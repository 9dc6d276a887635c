# points: 0
# message: Only your first row is right


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        h = np.tanh(word @ W_x + h @ W_h + b)
        states[i] = h
        break
    return states
