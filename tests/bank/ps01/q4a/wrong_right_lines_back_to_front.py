# points: 0
# message: Another order of the same lines is right


def first_step():
    return "F C I D"
