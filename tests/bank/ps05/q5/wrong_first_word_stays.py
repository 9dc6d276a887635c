# points: 3
# message: prefers the first key


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = [0, *(1 + rng.permutation(L_k - 1))]
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
