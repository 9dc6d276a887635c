# points: 0
# message: turns away an induction head


def is_induction(head):
    rng = np.random.default_rng(2)
    for _ in range(40):
        period = rng.integers(4, 15)
        text = [f"w{n}" for n in rng.permutation(100)[:period]] * 2
        weights = head(text)
        if min(weights[i, i - period] for i in range(period, 2 * period)) < 0.5:
            return False
    return True
