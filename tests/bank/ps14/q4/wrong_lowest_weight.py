# points: 0
# message: it returns a number other than 0 and 1


def is_induction(head):
    lowest = 1.0
    for distance in range(2, 21):
        for first in (1, 4, 9):
            text = [f"z{n}" for n in range(first + distance)]
            text.append(text[first])
            lowest = min(lowest, float(head(text)[-1, first + 1]))
    return lowest
