# points: 0
# message: You return all heads


def smallest(score, heads):
    return heads
