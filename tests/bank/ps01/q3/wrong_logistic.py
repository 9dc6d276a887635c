# points: 0
# message: go through the logistic function


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        h = states[i] = 1 / (1 + np.exp(-(word @ W_x + h @ W_h + b)))
    return states
