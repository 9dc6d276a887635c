# points: 0
# message: stops with NotImplementedError


def patched(run, ids, donor, layer, head, place):
    raise NotImplementedError


def directly(run, ids, donor, layer, head, place):
    raise NotImplementedError
