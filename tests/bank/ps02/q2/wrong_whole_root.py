# points: 1
# message: where you have


import math


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / math.isqrt(K.shape[-1]), axis=-1)
    return weights @ V, weights
