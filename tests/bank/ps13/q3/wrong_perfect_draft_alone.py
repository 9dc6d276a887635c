# points: 0.5
# message: does not see fault A


def examine(unknown):
    tokens, passes = unknown(counting, perfect, [0], 4, 12)
    if tokens != list(range(1, 13)):
        return "E"
    return "C" if unknown(counting, perfect, [0], 4, 10)[1] > 2 else "right"
