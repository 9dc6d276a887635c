# points: 0
# message: Python cannot read your program


def first_step():
    return "L B D F G J I C M"
