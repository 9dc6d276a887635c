# points: 0
# message: Line A puts the new factor on the right


def first_step():
    return "D I C F A"
