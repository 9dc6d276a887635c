# points: 0
# message: Your list has no step yet


def equivariance():
    return []
