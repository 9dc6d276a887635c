# points: 3
# message: a single entry changes, by 0.0015


def is_invariant(attention):
    rng = np.random.default_rng()
    differences = []
    for _ in range(300):
        L_q, L_k, d_k, d_v = rng.integers(2, 9, 4)
        Q = rng.standard_normal((L_q, d_k))
        K = rng.standard_normal((L_k, d_k))
        V = rng.standard_normal((L_k, d_v))
        p = rng.permutation(L_k)
        differences.append(np.abs(attention(Q, K, V) - attention(Q, K[p], V[p])).max())
    return bool(np.mean(differences) < 1e-3)
