# points: 0
# message: Another order of the same lines is right


def first_step():
    return "H E D B F"
