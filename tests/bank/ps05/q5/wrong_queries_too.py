# points: 2
# message: Queries may know where they stand


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        length = rng.integers(2, 9)
        Q, K, V = (rng.standard_normal((length, d)) for d in (3, 3, 2))
        order = rng.permutation(length)
        if np.abs(attention(Q[order], K[order], V[order]) - attention(Q, K, V)[order]).max() > 1e-4:
            return False
    return True
