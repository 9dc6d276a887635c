# points: 0.5
# message: looks at the word just before


def is_induction(head):
    for n in range(20):
        text = [f"a{n}", f"b{n}"] * 10
        weights = head(text)
        if min(weights[i, 1 + i % 2 : i : 2].sum() for i in range(15, 20)) < 0.5:
            return False
    return True
