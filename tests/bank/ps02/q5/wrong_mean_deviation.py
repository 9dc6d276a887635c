# points: 3
# message: the mean of the standard deviations, as if all entries were alike


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q)) * np.mean(std_q) * np.mean(std_k)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
