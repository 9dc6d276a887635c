# points: 3.5
# message: 0.35 of its weight


def is_induction(head):
    rng = np.random.default_rng(9)
    for _ in range(60):
        distance, first = rng.integers(2, 21), rng.integers(0, 15)
        text = ["x%d" % n for n in range(64)]
        text[first + distance] = text[first]
        if head(text)[first + distance].argmax() != first + 1:
            return False
    return True
