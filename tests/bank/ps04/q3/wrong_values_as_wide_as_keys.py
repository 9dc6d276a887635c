# points: 2
# message: you take the values to be as wide as the keys


def attention_counts(L, d, d_k, d_v):
    return 3 * d_k * (d + 1), 3 * L * d * d_k + 2 * L * L * d_k


def convolution_counts(L, d, d_v, k):
    return k * d * d_v + d_v, L * k * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    return 2 * (d * h + h * h + h), 2 * L * (d * h + h * h)
