# points: 0
# message: could not broadcast


def rnn_states(x, W_x, W_h, b, h0):
    states, h = np.zeros_like(x), h0
    for i, word in enumerate(x):
        states[i] = h = np.tanh(word @ W_x + h @ W_h + b)
    return states
