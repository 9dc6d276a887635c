# points: 2
# message: the logarithm of the ratio alone


def unit_divisor(std_q, std_k):
    return np.sqrt(((std_q * std_k) ** 2).sum())


def temperature(scores, ratio):
    return np.log(ratio)
