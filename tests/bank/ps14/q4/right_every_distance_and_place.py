def is_induction(head):
    return all(
        head([f"{i}" for i in range(start + distance)] + [f"{start}"])[start + distance, start + 1] >= 0.5
        for distance in range(2, 21)
        for start in (0, 2, 4, 7, 13)
    )
