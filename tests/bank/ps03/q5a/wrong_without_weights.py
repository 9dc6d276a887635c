# points: 0
# message: Line C leaves out the weight


def first_step():
    return "D B C F"
