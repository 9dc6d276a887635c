# points: 0
# message: attention


def attention_counts(L, d, d_k, d_v):
    c = 2 * d_k + d_v
    return d * c, 2 * (L * d * c + L * L * (d_k + d_v))


def convolution_counts(L, d, d_v, k):
    return k * d * d_v, 2 * L * k * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    return 2 * (d * h + h * h), 4 * L * (d * h + h * h)
