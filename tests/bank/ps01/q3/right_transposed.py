def rnn_states(x, W_x, W_h, b, h0):
    h = h0.reshape(-1, 1)
    out = []
    for word in x:
        h = np.tanh(W_x.T @ word.reshape(-1, 1) + W_h.T @ h + b.reshape(-1, 1))
        out.append(h[:, 0])
    return np.array(out).reshape(len(x), len(h0))
