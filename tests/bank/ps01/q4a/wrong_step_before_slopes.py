# points: 0
# message: Line C uses `slopes`, which no line before it has made. Another order


def first_step():
    return "D C I F"
