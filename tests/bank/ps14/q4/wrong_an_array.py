# points: 0
# message: it returns an array of shape (57,)


def is_induction(head):
    flags = []
    for distance in range(2, 21):
        for first in (1, 4, 9):
            text = [f"z{n}" for n in range(first + distance)]
            text.append(text[first])
            flags.append(head(text)[-1, first + 1] > 0.5)
    return np.array(flags)
