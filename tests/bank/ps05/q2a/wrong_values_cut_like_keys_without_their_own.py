# points: 0
# message: Line H cuts the values as the queries are cut


def first_step():
    return "F L D G I C H"
