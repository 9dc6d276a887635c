def unit_divisor(std_q, std_k):
    return np.linalg.norm(np.float32(std_q) * np.float32(std_k))


def temperature(scores, ratio):
    top = np.partition(scores.astype(np.float32), -2)[-2:]
    return np.ptp(top) / np.log(np.float32(ratio))
