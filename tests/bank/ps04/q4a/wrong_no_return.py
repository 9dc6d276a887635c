# points: 0
# message: Your function returns None


def first_step():
    "F H C J D"
