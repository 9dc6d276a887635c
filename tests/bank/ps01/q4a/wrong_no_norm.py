# points: 0
# message: The last line uses `norm`


def first_step():
    return "I C F"
