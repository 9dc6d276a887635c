# points: 0
# message: You return the last state alone
def rnn_states(x, W_x, W_h, b, h0):
    h = h0
    for word in x:
        h = np.tanh(word @ W_x + h @ W_h + b)
    return h
