# points: 2
# message: you compare the best key with the worst


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    return (np.max(scores) - np.min(scores)) / np.log(ratio)
