# points: 0
# message: Line D uses `scores`, which no line before it has made. Another order


def first_step():
    return "F H C D J"
