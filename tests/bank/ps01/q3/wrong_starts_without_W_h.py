# points: 3
# message: Your first state does not go through W_h


def rnn_states(x, W_x, W_h, b, h0):
    states = np.zeros((len(x), len(h0)))
    for i, word in enumerate(x):
        before = states[i - 1] @ W_h if i else h0
        states[i] = np.tanh(word @ W_x + before + b)
    return states
