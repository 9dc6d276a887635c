import math
from fractions import Fraction


def cheaper_up_to(d, d_k, d_v, n_gates):
    at_most = Fraction(n_gates * (d * d_v + d_v**2) - d * (2 * d_k + d_v), d_k + d_v)
    return Fraction(math.floor(at_most)) if at_most >= 1 else 0
