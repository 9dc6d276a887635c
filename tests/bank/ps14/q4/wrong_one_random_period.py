# points: 2
# message: sometimes lets through a head that is none


def is_induction(head):
    period = np.random.default_rng().integers(5, 12)
    text = [f"w{n}" for n in range(period)] * 2
    weights = head(text)
    return bool(np.mean([weights[i, i - period + 1] for i in range(period, 2 * period)]) > 0.5)
