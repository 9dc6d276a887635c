# points: 3
# message: Read backwards it looks the same


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        if np.abs(attention(Q, K[::-1], V[::-1]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
