# points: 0
# message: changes its inputs in place
def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    for i, word in enumerate(x):
        h0[:] = np.tanh(word @ W_x + h0 @ W_h + b)
        states[i] = h0
    return states
