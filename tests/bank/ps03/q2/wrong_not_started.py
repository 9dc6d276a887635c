# points: 0
# message: stops with NotImplementedError


def limit_weights(scores):
    raise NotImplementedError
