# points: 0
# message: Line A takes δ = 1 for every weight


def first_step():
    return "D A H"
