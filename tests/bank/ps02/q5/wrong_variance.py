# points: 2
# message: unit_divisor: you return the variance of q·k


def unit_divisor(std_q, std_k):
    return np.sum((std_q * std_k) ** 2)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
