# points: 0
# message: says that every layer is pre-norm


def examine(unknown, d):
    return "pre", "layer", "none"
