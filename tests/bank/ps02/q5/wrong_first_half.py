# points: 2
# message: NotImplementedError


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum(std_q**2 * std_k**2))


def temperature(scores, ratio):
    raise NotImplementedError
