# points: 0
# message: a list of pairs of text


def proof():
    return np.eye(4) @ np.ones((4, 2))
