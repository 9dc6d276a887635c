# points: 0
# message: Line A lets the heads take turns


def first_step():
    return "F L B D G A I C M"
