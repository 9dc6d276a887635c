# points: 3
# message: does not start from h0, but from zero


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    for i in range(len(x)):
        states[i] = np.tanh(x[i] @ W_x + (states[i - 1] @ W_h if i > 0 else 0) + b)
    return states
