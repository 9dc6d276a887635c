# points: 3
# message: Shifting all in a circle and reading it backwards do not show it


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = np.roll(np.arange(L_k)[:: rng.choice([-1, 1])], rng.integers(L_k))
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
