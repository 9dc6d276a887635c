# points: 0
# message: temperature: you return the sharpness


def unit_divisor(std_q, std_k):
    return np.sum(std_q**2 * std_k**2)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return np.log(ratio) / (best - second)
