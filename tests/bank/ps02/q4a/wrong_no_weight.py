# points: 0
# message: Line E uses `mine`


def first_step():
    return "F B E H"
