# points: 2
# message: unit_divisor(std_q


def unit_divisor(std_q, std_k):
    return np.sqrt(np.sum(np.exp(2 * np.log(std_q + 1e-3) + 2 * np.log(std_k + 1e-3))))


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
