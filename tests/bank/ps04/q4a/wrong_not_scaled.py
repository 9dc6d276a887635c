# points: 0
# message: Line A does not scale the scores


def first_step():
    return "F H C A D"
