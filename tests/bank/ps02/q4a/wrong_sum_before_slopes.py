# points: 0
# message: Line H uses `slopes`, which no line before it has made. Another order


def first_step():
    return "F B D H E"
