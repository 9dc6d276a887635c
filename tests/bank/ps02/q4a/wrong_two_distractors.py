# points: 0
# message: Line C divides the sum by the number of weights. The chain rule adds up


def first_step():
    return "F B I E C"
