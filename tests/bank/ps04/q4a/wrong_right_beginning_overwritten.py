# points: 0
# message: Line I begins one word too late


def first_step():
    return "F I H C J D"
