from fractions import Fraction
from math import ceil


class Stack:
    def __init__(self, k):
        self.k = k

    def receptive_field(self, n):
        return Fraction(1) + n * (self.k - 1)


receptive_field = lambda k, n_layers: Stack(k).receptive_field(n_layers)
layers_needed = lambda distance, k: ceil(Fraction(2 * distance, k - 1))
