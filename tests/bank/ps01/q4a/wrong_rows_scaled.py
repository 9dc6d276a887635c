# points: 0
# message: Line E scales the rows of W_h


def first_step():
    return "D I E F"
