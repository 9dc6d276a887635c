# points: 2
# message: with the third best


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    ordered = np.sort(scores)[::-1]
    return (ordered[0] - ordered[min(2, len(scores) - 1)]) / np.log(ratio)
