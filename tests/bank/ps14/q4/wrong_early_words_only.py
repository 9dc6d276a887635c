# points: 3
# message: only among the first twelve words


def is_induction(head):
    rng = np.random.default_rng(0)
    for distance in [*range(2, 21)] * 2:
        first = rng.integers(0, 12)
        words = [f"w{n}" for n in rng.permutation(100)[: first + distance + 1]]
        words[-1] = words[first]
        if head(words)[-1, first + 1] < 0.5:
            return False
    return True
