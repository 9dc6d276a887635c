# points: 0
# message: stops with NotImplementedError


def before(maps):
    raise NotImplementedError


def induction(maps, tokens):
    raise NotImplementedError
