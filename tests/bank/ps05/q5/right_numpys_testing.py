def is_invariant(attention):
    rng = np.random.default_rng()
    try:
        for _ in range(130):
            L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
            Q = rng.standard_normal((L_q, d_k))
            KV = rng.standard_normal((L_k, d_k + d_v))
            shuffled = rng.permutation(KV, axis=0)  # keys and values stay together in their row
            np.testing.assert_allclose(
                attention(Q, shuffled[:, :d_k], shuffled[:, d_k:]),
                attention(Q, KV[:, :d_k], KV[:, d_k:]),
                rtol=0,
                atol=1e-4,
            )
    except AssertionError:
        return False
    return True
