import math


def unit_divisor(std_q, std_k):
    variance = 0.0
    for sigma, tau in zip(std_q, std_k, strict=True):
        variance += sigma * sigma * tau * tau
    return math.sqrt(variance)


def temperature(scores, ratio):
    first, second = sorted(scores.tolist(), reverse=True)[:2]
    return (first - second) / math.log(ratio)
