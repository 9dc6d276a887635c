import math


def rnn_states(x, W_x, W_h, b, h0):
    d_in, d_h = W_x.shape
    h, states = list(h0), []
    for word in x:
        h = [
            math.tanh(
                b[n]
                + sum(word[c] * W_x[c, n] for c in range(d_in))
                + sum(h[m] * W_h[m, n] for m in range(d_h))
            )
            for n in range(d_h)
        ]
        states.append(h)
    return np.array(states, dtype=np.longdouble).reshape(-1, d_h)
