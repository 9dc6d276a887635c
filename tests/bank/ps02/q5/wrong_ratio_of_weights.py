# points: 2
# message: you divide the ratio of the weights at T = 1


def unit_divisor(std_q, std_k):
    return np.linalg.norm(std_q * std_k)


def temperature(scores, ratio):
    shares = np.sort(functional.softmax(scores))
    return shares[-1] / shares[-2] / ratio
