# points: 1
# message: NotImplementedError


def attention_counts(L, d, d_k, d_v):
    return (d + 1) * (2 * d_k + d_v), L * d * (2 * d_k + d_v) + L * L * (d_k + d_v)


def convolution_counts(L, d, d_v, k):
    raise NotImplementedError


def bidirectional_counts(L, d, d_v):
    raise NotImplementedError
