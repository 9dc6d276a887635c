# points: 0
# message: The last line uses `values`, which no line before it has made. No order


def first_step():
    return "F H J D"
