# points: 3
# message: only if the earlier occurrence is near


def is_induction(head):
    rng = np.random.default_rng(2)
    for _ in range(60):
        distance, first = rng.integers(2, 7), rng.integers(0, 20)
        text = [f"{n}" for n in range(30)]
        text[first + distance] = text[first]
        if head(text)[first + distance, first + 1] < 0.5:
            return False
    return True
