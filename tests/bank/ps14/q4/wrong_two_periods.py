# points: 2
# message: only among the first twelve words


def is_induction(head):
    for period in (5, 8):
        text = [f"w{n}" for n in range(period)] * 2
        weights = head(text)
        if min(weights[i, i - period + 1] for i in range(period, 2 * period)) < 0.5:
            return False
    return True
