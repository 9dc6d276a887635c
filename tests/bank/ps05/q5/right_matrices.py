def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(400):
        L_q, L_k, d_k, d_v = (int(n) for n in rng.integers(2, 9, 4))
        Q = rng.standard_normal((L_q, d_k))
        K = rng.standard_normal((L_k, d_k))
        V = rng.standard_normal((L_k, d_v))
        P = rng.permutation(np.eye(L_k))
        if not np.allclose(attention(Q, P @ K, P @ V), attention(Q, K, V), rtol=0, atol=1e-4):
            return False
    return True
