# points: 2
# message: a fixed number of places back


def is_induction(head):
    rng = np.random.default_rng(0)
    for _ in range(50):
        text = [f"w{n}" for n in rng.permutation(100)[:8]] * 2
        weights = head(text)
        if min(weights[i, i - 7] for i in range(8, 16)) < 0.5:
            return False
    return True
