# points: 2
# message: only with four keys or more


def is_invariant(attention):
    from itertools import permutations

    rng = np.random.default_rng(11)
    for L_q, L_k in [(3, 3), (2, 3), (6, 3), (3, 2), (4, 2), (1, 3)] * 2:
        Q, K, V = rng.normal(size=(L_q, 2)), rng.normal(size=(L_k, 2)), rng.normal(size=(L_k, 5))
        reference = attention(Q, K, V)
        for order in permutations(range(L_k)):
            if np.max(np.abs(attention(Q, K[list(order)], V[list(order)]) - reference)) > 1e-3:
                return False
    return True
