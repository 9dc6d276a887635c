class Tester:
    limit = 1e-4

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)

    def draw(self):
        L_q, L_k = self.random.randint(1, 13, size=2)
        d_k, d_v = self.random.randint(1, 6, size=2)
        return self.random.randn(L_q, d_k), self.random.randn(L_k, d_k), self.random.randn(L_k, d_v)

    def agrees(self, attention):
        Q, K, V = self.draw()
        order = self.random.permutation(len(K))
        a, b = attention(Q.copy(), K.copy(), V.copy()), attention(Q.copy(), K[order], V[order])
        return np.linalg.norm(a - b, ord=np.inf) < 10 * self.limit


def is_invariant(attention):
    tester = Tester(0)
    return all([tester.agrees(attention) for _ in range(400)])
