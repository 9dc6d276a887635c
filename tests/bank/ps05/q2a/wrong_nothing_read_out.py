# points: 0
# message: The program stops with ValueError: need at least one array to concatenate


def first_step():
    return "F L B D G J I C"
