def is_induction(head):
    rng = np.random.default_rng(14)
    for period in [*range(3, 22)] * 2:
        text = [f"w{n}" for n in rng.permutation(500)[:period]] * 2
        weights = np.asarray(head(text))
        for i in range(period, 2 * period):
            if weights[i, i - period + 1] < 0.5:
                return False
    return True
