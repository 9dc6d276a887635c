# points: 0
# message: is_invariant returns None


def is_invariant(attention):
    Q, K, V = np.random.randn(3, 2), np.random.randn(5, 2), np.random.randn(5, 4)
    order = np.random.permutation(5)
    print(np.allclose(attention(Q, K[order], V[order]), attention(Q, K, V)))
