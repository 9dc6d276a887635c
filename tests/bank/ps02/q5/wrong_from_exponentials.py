# points: 2
# message: no exponential is needed


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    second, best = np.sort(np.exp(scores))[-2:]
    return np.log(best / second) / np.log(ratio)
