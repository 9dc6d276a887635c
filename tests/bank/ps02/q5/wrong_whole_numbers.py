# points: 2
# message: rounded


def unit_divisor(std_q, std_k):
    return round(float(np.linalg.norm(std_q * std_k)))


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
