# points: 3
# message: change by a two-hundredth


def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q = rng.standard_normal((L_q, d_k))
        K = rng.standard_normal((L_k, d_k))
        V = rng.standard_normal((L_k, d_v))
        order = rng.permutation(L_k)
        a, b = attention(Q, K, V), attention(Q, K[order], V[order])
        if not np.allclose(a, b, rtol=1e-2, atol=1e-4):
            return False
    return True
