# points: 2
# message: changes its inputs in place


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    scores.sort()
    return (scores[-1] - scores[-2]) / np.log(ratio)
