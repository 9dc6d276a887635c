class Additive:
    def __init__(self, W_q, W_k, v):
        self.W_q, self.W_k, self.v = W_q, W_k, v

    def additive_scores(self, Q, K):
        queries = np.expand_dims(np.matmul(Q, self.W_q), -2)
        keys = np.expand_dims(np.matmul(K, self.W_k), -3)
        return np.matmul(np.tanh(queries + keys), self.v)


def additive_scores(Q, K, W_q, W_k, v):
    return Additive(W_q, W_k, v).additive_scores(Q, K)
