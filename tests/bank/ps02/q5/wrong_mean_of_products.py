# points: 3
# message: the mean of the products


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q)) * np.mean(std_q * std_k)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
