def output_changes(attention, rng):
    L_q, L_k, d_k, d_v = rng.integers(1, 9, size=4)
    Q, K, V = rng.normal(0, 1, (L_q, d_k)), rng.normal(0, 1, (L_k, d_k)), rng.normal(0, 1, (L_k, d_v))
    order = rng.choice(L_k, size=L_k, replace=False)
    moved, still = attention(Q, K[order], V[order]), attention(Q, K, V)
    return not np.allclose(moved, still, rtol=0.0, atol=5e-5)


def is_invariant(attention):
    rng = np.random.default_rng(2024)
    return not any(output_changes(attention, rng) for _ in range(500))
