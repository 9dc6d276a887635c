# points: 0
# message: Line B takes 1 − h.


def first_step():
    return "D B C F"
