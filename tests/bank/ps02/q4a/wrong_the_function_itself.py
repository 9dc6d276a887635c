# points: 0
# message: returns no text


def first_step():
    return puzzle.function("F B D E H")
