# points: 2
# message: you compare the two smallest scores


def unit_divisor(std_q, std_k):
    return np.linalg.norm(std_q * std_k)


def temperature(scores, ratio):
    ordered = np.sort(scores)
    return (ordered[1] - ordered[0]) / np.log(ratio)
