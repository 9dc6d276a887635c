# points: 0
# message: Line G takes tanh once more


def first_step():
    return "D G C F"
