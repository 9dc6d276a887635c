# points: 0
# message: Lines F and D, in this order, take the norm after the step back


def first_step():
    return "I C F D"
