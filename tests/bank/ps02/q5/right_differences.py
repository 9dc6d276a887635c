def unit_divisor(std_q, std_k):
    return np.sqrt(((std_q * std_k)[None] ** 2).sum(axis=-1))


def temperature(scores, ratio):
    return np.diff(np.sort(scores)[-2:]) / np.log(ratio)
