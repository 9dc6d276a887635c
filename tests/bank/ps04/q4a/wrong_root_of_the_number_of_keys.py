# points: 0
# message: Line G divides by the root of the number of keys


def first_step():
    return "F H C G D"
