import math


class Key:
    def __init__(self, score):
        self.score = score


def unit_divisor(std_q, std_k):
    return math.hypot(*(std_q * std_k))


def temperature(scores, ratio):
    log_weights = scores - scores.max()
    keys = sorted(map(Key, log_weights), key=lambda key: key.score)
    return -keys[-2].score / math.log(ratio)
