# points: 0
# message: Your first row is h0
def rnn_states(x, W_x, W_h, b, h0):
    states = [h0]
    for word in x:
        states.append(np.tanh(word @ W_x + states[-1] @ W_h + b))
    return np.array(states)
