# points: 3
# message: Draw new numbers each time


def is_invariant(attention):
    sizes = np.random.default_rng()
    for _ in range(200):
        rng = np.random.default_rng(42)
        L_q, L_k, d_k, d_v = sizes.integers(2, 9, size=4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = sizes.permutation(L_k)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
