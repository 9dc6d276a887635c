# points: 3
# message: only if a value is not as wide as a key


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(300):
        L_q, L_k, d = rng.integers(2, 9, 3)
        Q, K, V = rng.standard_normal((L_q, d)), rng.standard_normal((L_k, d)), rng.standard_normal((L_k, d))
        order = rng.permutation(L_k)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
