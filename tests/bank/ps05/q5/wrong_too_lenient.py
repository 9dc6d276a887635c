# points: 3
# message: one in which places count little


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        L_q, L_k = rng.integers(2, 9, 2)
        Q, K, V = rng.standard_normal((L_q, 3)), rng.standard_normal((L_k, 3)), rng.standard_normal((L_k, 2))
        order = rng.permutation(L_k)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 0.5:
            return False
    return True
