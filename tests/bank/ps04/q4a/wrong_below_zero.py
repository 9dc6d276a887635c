# points: 0
# message: Line B can fall below 0 near the beginning


def first_step():
    return "B H C J D"
