class Attention:
    def attention(self, Q, K, V):
        scores = self.dot_product_scores(Q, K)
        weights = self.softmax(scores)
        return weights @ V, weights

    def dot_product_scores(self, Q, K):
        return np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(K.shape[-1])

    def softmax(self, scores):
        powers = np.exp(scores - np.max(scores, -1, keepdims=True))
        return powers / np.sum(powers, -1, keepdims=True)


def attention(Q, K, V):
    return Attention().attention(Q, K, V)
