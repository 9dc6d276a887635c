from itertools import accumulate


def rnn_states(x, W_x, W_h, b, h0):
    step = lambda h, word: np.tanh(np.concatenate([word, h]) @ np.concatenate([W_x, W_h]) + b)
    return np.array(list(accumulate(x, step, initial=h0)))[1:]
