def is_induction(head):
    # Words of one text come again over every distance up to 40.
    for distance in range(2, 41):
        text = [f"w{n}" for n in range(distance)] * 2
        weights = head(text[:64])
        for i in range(distance, min(64, 2 * distance)):
            if weights[i, i - distance + 1] < 0.5:
                return False
    return True
