# points: 3
# message: you take the last standard deviations for all


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q)) * std_q[-1] * std_k[-1]


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
