# points: 0
# message: the transpose of W_h
def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        h = np.tanh(word @ W_x + W_h @ h + b)
        states[i] = h
    return states
