# points: 0
# message: Python cannot read your program: expected an indented block


def first_step():
    return "F L B D"
