# points: 0
# message: Line M uses `weights`


def first_step():
    return "F L B D G J I M C"
