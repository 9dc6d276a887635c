# points: 2
# message: the √d_k is too much


def unit_divisor(std_q, std_k):
    return np.sqrt(len(std_q)) * np.linalg.norm(std_q * std_k)


def temperature(scores, ratio):
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)
