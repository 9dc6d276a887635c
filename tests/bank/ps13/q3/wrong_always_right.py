# points: 0
# message: does not see fault A


def examine(unknown):
    return "right"
