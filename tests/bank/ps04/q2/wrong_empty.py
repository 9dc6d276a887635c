# points: 0
# message: There is no line yet


def equivariance():
    return []
