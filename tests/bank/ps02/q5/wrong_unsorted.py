# points: 2
# message: you compare the first two scores


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    return (scores[0] - scores[1]) / np.log(ratio)
