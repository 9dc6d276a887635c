# points: 3
# message: Shifting all in a circle does not show it


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        by = rng.integers(1, L_k)
        shifted = attention(Q, np.roll(K, by, axis=0), np.roll(V, by, axis=0))
        if np.abs(shifted - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
