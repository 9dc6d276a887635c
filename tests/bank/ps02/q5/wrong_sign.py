# points: 2
# message: right but for the sign


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (second - best) / np.log(ratio)
