# points: 0
# message: NotImplementedError


class Cache:
    def __init__(self, W_Q, W_C, U_K, U_V, window):
        raise NotImplementedError


def diagnosis():
    raise NotImplementedError
