# points: 0
# message: Line F uses `scale`, which no line before it has made. No order of these lines is right


def first_step():
    return "D B F"
