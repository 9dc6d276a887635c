# points: 0
# message: self_attention_cost is called

from course_lib import functional


def attention_counts(L, d, d_k, d_v):
    cost = functional.self_attention_cost(L, d, d_k, d_v)
    return cost.parameters + 2 * d_k + d_v, cost.multiply_adds


def convolution_counts(L, d, d_v, k):
    return k * d * d_v + d_v, L * k * d * d_v


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    return 2 * (d * h + h * h + h), 2 * L * (d * h + h * h)
