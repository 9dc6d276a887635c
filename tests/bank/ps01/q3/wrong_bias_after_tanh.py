# points: 0
# message: The bias is added after the tanh


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        h = states[i] = np.tanh(word @ W_x + h @ W_h) + b
    return states
