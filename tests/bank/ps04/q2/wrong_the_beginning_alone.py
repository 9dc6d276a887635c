# points: 0
# message: All your 3 steps hold: go on from the last of them


def equivariance():
    return list(beginning)
