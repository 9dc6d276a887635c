# points: 0
# message: There is no line W


def first_step():
    return "W @ np.diag(1 - h ** 2) @ J"
