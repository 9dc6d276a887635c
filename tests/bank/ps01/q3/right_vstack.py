def rnn_states(x, W_x, W_h, b, h0):
    states = h0[None]
    for word in x:
        states = np.vstack([states, np.tanh(word @ W_x + states[-1] @ W_h + b)])
    return states[1:]
