# points: 0
# message: Line K lets the weights sum to 1 over the queries


def first_step():
    return "F L B D G J I K M"
