def is_invariant(attention):
    rng = np.random.RandomState(7)
    worst = 0.0
    for L_q in range(1, 9):
        for L_k in range(2, 9):
            for _ in range(4):
                Q, K, V = rng.randn(L_q, 4), rng.randn(L_k, 4), rng.randn(L_k, 3)
                before = attention(Q, K, V)
                both = np.hstack([K, V])
                rng.shuffle(both)
                after = attention(Q, both[:, :4], both[:, 4:])
                worst = max(worst, abs(after - before).max())
    return worst < 5e-4
