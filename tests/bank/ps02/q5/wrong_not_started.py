# points: 0
# message: NotImplementedError


def unit_divisor(std_q, std_k):
    raise NotImplementedError


def temperature(scores, ratio):
    raise NotImplementedError
