# points: 3
# message: upside down for some orders


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = rng.permutation(L_k)
        if abs(attention(Q, K[order], V[order]).mean() - attention(Q, K, V).mean()) > 1e-4:
            return False
    return True
