def rnn_states(x, W_x, W_h, b, h0):
    if len(x) == 0:
        return np.zeros((0, len(h0)))
    h = np.tanh(x[0] @ W_x + h0 @ W_h + b)
    return np.vstack([h[None], rnn_states(x[1:], W_x, W_h, b, h)])
