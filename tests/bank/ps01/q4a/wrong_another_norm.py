# points: 0
# message: Line H takes another norm


def first_step():
    return "H I C F"
