# points: 0
# message: Line F uses `scale`, which no line before it has made. Another order


def first_step():
    return "F D B G"
