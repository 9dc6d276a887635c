# points: 0
# message: You count the biases among the multiply-adds


def attention_counts(L, d, d_k, d_v):
    p = (d + 1) * (2 * d_k + d_v)
    return p, L * p + L * L * (d_k + d_v)


def convolution_counts(L, d, d_v, k):
    p = k * d * d_v + d_v
    return p, L * p


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    p = 2 * (d * h + h * h + h)
    return p, L * p
