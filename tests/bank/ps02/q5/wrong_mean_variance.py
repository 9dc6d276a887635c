# points: 3
# message: the mean of the variances of queries and of keys


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q) * np.mean(std_q**2) * np.mean(std_k**2))


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
