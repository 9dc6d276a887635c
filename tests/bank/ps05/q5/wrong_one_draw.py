# points: 0
# message: fewer than 10 draws


def is_invariant(attention):
    rng = np.random.default_rng(0)
    Q, K, V = rng.standard_normal((4, 3)), rng.standard_normal((7, 3)), rng.standard_normal((7, 2))
    order = np.array([3, 0, 5, 6, 1, 2, 4])
    return bool(np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() < 1e-4)
