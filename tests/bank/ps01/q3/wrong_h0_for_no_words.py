# points: 3
# message: which is no state after a word: no rows


def rnn_states(x, W_x, W_h, b, h0):
    states, h = [], h0
    for word in x:
        h = np.tanh(word @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states) if states else h0[None]
