def is_induction(head):
    right = 1
    for distance in range(2, 21):
        for first in (1, 4, 14):
            text = [f"z{n}" for n in range(first + distance)]
            text.append(text[first])
            if head(text)[-1][first + 1] < 0.5:
                right = 0
    return right
