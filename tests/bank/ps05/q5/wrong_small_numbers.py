# points: 3
# message: numbers above 1 or below −1


def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q = rng.uniform(-1, 1, (L_q, d_k))
        K = rng.uniform(-1, 1, (L_k, d_k))
        V = rng.uniform(-1, 1, (L_k, d_v))
        order = rng.permutation(L_k)
        a, b = attention(Q, K, V), attention(Q, K[order], V[order])
        if np.abs(a - b).max() > 1e-4:
            return False
    return True
