# points: 2
# message: entry r of a query meets only entry r of a key


def unit_divisor(std_q, std_k):
    return np.linalg.norm(std_q) * np.linalg.norm(std_k)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
