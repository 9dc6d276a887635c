# points: 0
# message: Line C divides the sum by the number of weights


def first_step():
    return "F B D E C"
