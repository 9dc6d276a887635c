# points: 0
# message: must return True or False


def is_invariant(attention):
    rng = np.random.default_rng(0)
    L_q, L_k = rng.integers(2, 9, 2)
    Q, K, V = rng.standard_normal((L_q, 3)), rng.standard_normal((L_k, 3)), rng.standard_normal((L_k, 2))
    order = rng.permutation(L_k)
    return np.isclose(attention(Q, K[order], V[order]), attention(Q, K, V), atol=1e-4)
