# points: 3
# message: but from zero


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    for i, word in enumerate(x):
        states[i] = np.tanh(word @ W_x + states[i - 1] @ W_h + b)
    return states
