# points: 0
# message: Line H uses `first`


def first_step():
    return "H C J D"
