# points: 0
# message: Your function returns None


def first_step():
    "F B D E H"
