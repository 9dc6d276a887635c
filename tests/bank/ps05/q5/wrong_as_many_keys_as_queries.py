# points: 3
# message: Try lengths that differ


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        Q, K, V = (rng.standard_normal((6, d)) for d in (3, 3, 2))
        order = rng.permutation(6)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
