# points: 0
# message: Line M uses `found`, which no line before it has made


def first_step():
    return "L B D G J I C M"
