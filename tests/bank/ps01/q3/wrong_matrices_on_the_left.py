# points: 0
# message: Your code stops with ValueError
def rnn_states(x, W_x, W_h, b, h0):
    states, h = [], h0
    for word in x:
        h = np.tanh(W_x @ word + W_h @ h + b)
        states.append(h)
    return np.array(states).reshape(len(x), len(h0))
