# points: 0
# message: 'A' of every program


def examine(unknown):
    return "A"
