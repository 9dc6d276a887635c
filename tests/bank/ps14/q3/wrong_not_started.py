# points: 0
# message: stops with NotImplementedError


def study(x, y, word, test, shuffle, probe):
    raise NotImplementedError


def diagnosis():
    raise NotImplementedError
