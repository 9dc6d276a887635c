def is_induction(head):
    rng, lowest = np.random.default_rng(), 1.0
    for period in [*range(3, 21), *range(3, 21)]:
        text = (rng.permutation(1000)[:period].tolist() * 3)[:64]
        maps = head(text)
        for i in range(period, len(text)):
            right = range(i % period + 1, i, period)
            lowest = min(lowest, sum(maps[i, j] for j in right if text[j - 1] == text[i]))
    return lowest > 0.55
