# points: 2
# message: unit_divisor: you add up standard deviations. Only variances


def unit_divisor(std_q, std_k):
    return std_q @ std_k


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
