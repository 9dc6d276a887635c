# points: 0
# message: Line B uses `delta`


def first_step():
    return "B F D E H"
