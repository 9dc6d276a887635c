# points: 0
# message: Line A lets the heads take turns, column by column. Those of a head stand together. Line E divides by the root


def first_step():
    return "F L B D G A E C M"
