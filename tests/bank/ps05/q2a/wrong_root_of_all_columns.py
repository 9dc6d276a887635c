# points: 0
# message: Line E divides by the root of all columns


def first_step():
    return "F L B D G J E C M"
