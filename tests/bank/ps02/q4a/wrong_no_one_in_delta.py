# points: 0
# message: No order of these lines is right: one is missing


def first_step():
    return "F D E H"
