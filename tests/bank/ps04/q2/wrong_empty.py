# points: 0
# message: Your list is empty


def equivariance():
    return []
