def unit_divisor(std_q, std_k):
    return np.sqrt(sum((s * t) ** 2 for s, t in zip(std_q, std_k, strict=True)))


def temperature(scores, ratio):
    shares = np.sort(functional.softmax(scores))
    return np.log(shares[-1] / shares[-2]) / np.log(ratio)
