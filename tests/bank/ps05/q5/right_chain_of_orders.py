def is_invariant(attention):
    rng = np.random.default_rng()
    for _ in range(100):
        sizes = dict(zip(["Lq", "Lk", "dk", "dv"], rng.integers(2, 9, 4)))
        Q = rng.standard_normal((sizes["Lq"], sizes["dk"]))
        K = rng.standard_normal((sizes["Lk"], sizes["dk"]))
        V = rng.standard_normal((sizes["Lk"], sizes["dv"]))
        out = attention(Q, K, V)
        for _ in range(3):
            o = np.argsort(rng.random(sizes["Lk"]))
            K, V = K[o], V[o]
            if np.any(np.abs(out - attention(Q, K, V)) >= 1e-4):
                return False
    return True
