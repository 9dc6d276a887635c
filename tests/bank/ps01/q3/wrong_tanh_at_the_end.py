# points: 0
# message: The tanh is taken only when the states are returned


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        h = states[i] = word @ W_x + h @ W_h + b
    return np.tanh(states)
