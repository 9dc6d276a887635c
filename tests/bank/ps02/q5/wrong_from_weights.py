# points: 2
# message: no exponential is needed


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    shares = np.sort(functional.softmax(scores))
    return np.log(shares[-1] / shares[-2]) / np.log(ratio)
