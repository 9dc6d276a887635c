# points: 0
# message: There is no step in your proof yet


def proof():
    return []
