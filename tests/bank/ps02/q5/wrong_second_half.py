# points: 2
# message: unit_divisor: √d_k is right only if


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q))


def temperature(scores, ratio):
    best, second = np.sort(scores)[::-1][:2]
    return (best - second) / np.log(ratio)
