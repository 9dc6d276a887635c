def is_induction(head):
    flags = []
    for distance in range(2, 21):
        for first in (0, 3, 17):
            text = [f"p{n}" for n in range(first + distance)]
            text.append(text[first])
            flags.append(head(text)[-1, first + 1] > 0.5)
    return np.prod(flags)  # a whole number of NumPy
