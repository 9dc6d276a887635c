def attention_counts(L, d, d_k, d_v):
    return (d + 1) * (2 * d_k + d_v), L * (2 * d_k * d + d_v * d + L * d_k + L * d_v)


def convolution_counts(L, d, d_v, k):
    return (k * d + 1) * d_v, k * L * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v / 2
    return int(d_v * (d + h + 1)), int(L * d_v * (d + h))
