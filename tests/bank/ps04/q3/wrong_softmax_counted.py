# points: 2
# message: you count L² multiply-adds for the softmax


def attention_counts(L, d, d_k, d_v):
    return (d + 1) * (2 * d_k + d_v), L * d * (2 * d_k + d_v) + L * L * (d_k + d_v) + L * L


def convolution_counts(L, d, d_v, k):
    return k * d * d_v + d_v, L * k * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    return 2 * (d * h + h * h + h), 2 * L * (d * h + h * h)
