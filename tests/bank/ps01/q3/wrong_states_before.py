# points: 0
# message: Your states are those before each word is read
def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    h = h0
    for i, word in enumerate(x):
        states[i] = h
        h = np.tanh(word @ W_x + h @ W_h + b)
    return states
