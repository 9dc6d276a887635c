# points: 0
# message: The last line uses `weights`


def first_step():
    return "F H C J"
