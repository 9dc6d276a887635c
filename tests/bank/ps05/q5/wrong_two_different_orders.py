# points: 0
# message: turns away an attention that is invariant: plain attention


def is_invariant(attention):
    rng = np.random.default_rng(0)
    for _ in range(200):
        L_q, L_k = rng.integers(2, 9, 2)
        Q, K, V = rng.standard_normal((L_q, 3)), rng.standard_normal((L_k, 3)), rng.standard_normal((L_k, 2))
        moved = attention(Q, rng.permutation(K), rng.permutation(V))
        if np.abs(moved - attention(Q, K, V)).max() > 1e-4:
            return False
    return True
