# points: 1
# message: however small a part is left over


import math


def receptive_field(k, n_layers):
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    quotient = distance / ((k - 1) / 2)
    return math.ceil(round(quotient, 1))
