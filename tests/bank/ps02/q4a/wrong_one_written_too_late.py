# points: 0
# message: Lines E and B, in this order, compute the slopes while δ is still 0


def first_step():
    return "F D E B H"
