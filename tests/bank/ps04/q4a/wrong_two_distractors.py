# points: 0
# message: Line B can fall below 0 near the beginning, and to NumPy a negative place counts from the end. Line A does not scale


def first_step():
    return "B H C A D"
