# points: 0
# message: Line I takes from each weight itself


def first_step():
    return "F B I E H"
