# points: 0
# message: must return True or False


def is_invariant(attention):
    L_q, L_k = np.random.randint(2, 60, size=2)
    Q, K, V = np.random.randn(L_q, 3), np.random.randn(L_k, 3), np.random.randn(L_k, 2)
    return attention(Q, K[::-1], V[::-1]) - attention(Q, K, V)
