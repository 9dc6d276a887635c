# points: 2
# message: a score is a dot product of d_k terms, not of d_v


def attention_counts(L, d, d_k, d_v):
    columns = 2 * d_k + d_v
    return (d + 1) * columns, L * d * columns + 2 * L * L * d_v


def convolution_counts(L, d, d_v, k):
    return (k * d + 1) * d_v, k * L * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    return 2 * (d * h + h * h + h), 2 * L * (d * h + h * h)
