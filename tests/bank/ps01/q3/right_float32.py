def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)), dtype=np.float32)
    h = h0.astype(np.float32)
    for i, word in enumerate(x.astype(np.float32)):
        h = np.tanh(word @ W_x + h @ W_h + b).astype(np.float32)
        states[i] = h
    return states
