# points: 3
# message: whose rounding comes near 10⁻⁵


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = rng.permutation(L_k)
        if not np.allclose(attention(Q, K[order], V[order]), attention(Q, K, V), rtol=1e-3, atol=0):
            return False
    return True
