class RNN:
    def __init__(self, W_x, W_h, b):
        self.W_x, self.W_h, self.b = W_x, W_h, b

    def tanh(self, a):
        return (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1)

    def rnn_tanh(self, x, h):
        states = np.empty((0, len(h)))
        for word in x:
            h = self.tanh(word @ self.W_x + h @ self.W_h + self.b)
            states = np.append(states, [h], axis=0)
        return states


def rnn_states(x, W_x, W_h, b, h0):
    return RNN(W_x, W_h, b).rnn_tanh(x, h0)
