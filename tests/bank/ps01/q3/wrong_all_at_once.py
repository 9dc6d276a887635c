# points: 0
# message: The state before is not handed on
def rnn_states(x, W_x, W_h, b, h0):
    return np.tanh(x @ W_x + h0 @ W_h + b)
