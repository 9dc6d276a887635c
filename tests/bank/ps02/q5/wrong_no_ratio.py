# points: 2
# message: divide it by the logarithm of the ratio


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return best - second
