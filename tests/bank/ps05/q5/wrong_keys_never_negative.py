# points: 3
# message: queries, keys and values all hold negative numbers


def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, size=4)
        Q, V = rng.standard_normal((L_q, d_k)), rng.standard_normal((L_k, d_v))
        K = np.arange(L_k * d_k).reshape(L_k, d_k) % 3 / 3
        order = rng.permutation(L_k)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
