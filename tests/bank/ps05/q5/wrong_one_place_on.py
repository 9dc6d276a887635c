# points: 3
# message: Shifting all in a circle does not show it


def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(200):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = np.roll(np.arange(L_k), 1)
        a, b = attention(Q, K, V), attention(Q, K[order], V[order])
        if np.abs(a - b).max() > 1e-4:
            return False
    return True
