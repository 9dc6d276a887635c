# points: 3
# message: only if the earlier occurrence is far away


def is_induction(head):
    found = []
    for distance in range(2, 21):
        for first in range(12, 16):
            text = [f"{n}" for n in range(first + distance)] + [f"{first}"]
            found.append(head(text)[-1, first + 1])
    return bool(np.mean(found) > 0.5)
