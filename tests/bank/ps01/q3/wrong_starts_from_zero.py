# points: 3
# message: but from zero
def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = np.zeros(len(h0))
    for i, word in enumerate(x):
        h = np.tanh(word @ W_x + h @ W_h + b)
        states[i] = h
    return states
