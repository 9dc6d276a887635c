# points: 3
# message: only with fewer keys than queries


def is_invariant(attention):
    rng = np.random.default_rng()
    for L_q, L_k in [(3, 6), (5, 5)] * 100:
        Q, K, V = rng.standard_normal((L_q, 3)), rng.standard_normal((L_k, 3)), rng.standard_normal((L_k, 2))
        order = rng.permutation(L_k)
        if np.abs(attention(Q, K[order], V[order]) - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
