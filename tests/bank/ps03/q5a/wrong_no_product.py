# points: 0
# message: The last line uses `slopes`


def first_step():
    return "D B G"
