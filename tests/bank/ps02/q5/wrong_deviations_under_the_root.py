# points: 2
# message: standard deviations under the root


def unit_divisor(std_q, std_k):
    return np.sqrt(std_q @ std_k)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
