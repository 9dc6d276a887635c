# points: 3
# message: always looks at the same place


def is_induction(head):
    for distance in range(2, 21):
        text = [f"{n}" for n in range(distance)] + ["0"]
        if head(text)[-1, 1] < 0.5:
            return False
    return True
