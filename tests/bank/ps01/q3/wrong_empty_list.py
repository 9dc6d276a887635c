# points: 3
# message: You return an empty list


def rnn_states(x, W_x, W_h, b, h0):
    states, h = [], h0
    for word in x:
        h = np.tanh(word @ W_x + h @ W_h + b)
        states.append(h)
    return states
