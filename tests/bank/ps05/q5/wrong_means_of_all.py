# points: 3
# message: Sums, means and lengths do not show it


def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(200):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q, K, V = (rng.standard_normal(shape) for shape in ((L_q, d_k), (L_k, d_k), (L_k, d_v)))
        order = rng.permutation(L_k)
        a, b = attention(Q, K, V), attention(Q, K[order], V[order])
        if abs(a.mean() - b.mean()) > 1e-4:
            return False
    return True
