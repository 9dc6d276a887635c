def receptive_field(k, n_layers):
    seen = np.array([True])
    for _ in range(n_layers):
        wider = np.zeros(len(seen) + k - 1, dtype=bool)
        for j in range(k):
            wider[j : j + len(seen)] |= seen
        seen = wider
    return seen.sum()


def layers_needed(distance, k):
    reach, n = 0, 0
    while reach < distance:
        reach, n = reach + (k - 1) // 2, n + 1
    return np.int16(n)
