def unit_divisor(std_q, std_k):
    return np.sqrt(np.dot(np.square(std_q), np.square(std_k))).astype(np.longdouble)


def temperature(scores, ratio):
    best = second = -np.inf
    for score in scores:
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
    return np.array([(best - second) / np.log(ratio)]).item()
