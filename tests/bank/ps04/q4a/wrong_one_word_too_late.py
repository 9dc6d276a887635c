# points: 0
# message: Line I begins one word too late


def first_step():
    return "I H C J D"
