# points: 2
# message: one network with a state of d_v numbers


def attention_counts(L, d, d_k, d_v):
    return (d + 1) * (2 * d_k + d_v), L * d * (2 * d_k + d_v) + L * L * (d_k + d_v)


def convolution_counts(L, d, d_v, k):
    return k * d * d_v + d_v, L * k * d * d_v


def bidirectional_counts(L, d, d_v):
    return d * d_v + d_v * d_v + d_v, L * (d * d_v + d_v * d_v)
