# points: 0
# message: Line E leaves out the word itself


def first_step():
    return "F E C J D"
