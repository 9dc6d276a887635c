def is_invariant(attention):
    rng, alike = np.random.default_rng(), True
    for _ in range(200):
        L_q, L_k, d_k, d_v = rng.integers(1, 7, 4)
        Q, K, V = (rng.standard_normal(shape).astype("f4") for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = np.argsort(rng.random(L_k))
        alike &= np.linalg.norm(attention(Q, K[order], V[order]) - attention(Q, K, V)) < 2e-4
    return alike
