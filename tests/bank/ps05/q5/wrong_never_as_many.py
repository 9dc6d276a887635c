# points: 3
# message: Try lengths that agree, too


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        Q, K, V = rng.standard_normal((4, 3)), rng.standard_normal((7, 3)), rng.standard_normal((7, 2))
        order = rng.permutation(7)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
