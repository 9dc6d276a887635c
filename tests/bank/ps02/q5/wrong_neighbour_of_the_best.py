# points: 2
# message: temperature(scores


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum((std_q * std_k) ** 2))


def temperature(scores, ratio):
    best = int(np.argmax(scores))
    return (scores[best] - scores[best - 1]) / np.log(ratio)
