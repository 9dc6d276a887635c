# points: 2
# message: padding


def attention_counts(L, d, d_k, d_v):
    c = 2 * d_k + d_v
    return d * c + c, L * d * c + L * L * (d_k + d_v)


def convolution_counts(L, d, d_v, k):
    return k * d * d_v + d_v, L * min(k, L) * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v / 2
    return 2 * (d * h + h * h + h), 2 * L * (d * h + h * h)
