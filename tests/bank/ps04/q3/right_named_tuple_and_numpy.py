from typing import NamedTuple


class Cost(NamedTuple):
    parameters: int
    multiply_adds: int


def dense(n, rows, columns, bias=True):
    return Cost(rows * columns + bias * columns, n * rows * columns)


def total(*costs):
    return Cost(*np.sum(costs, axis=0))


def attention_counts(L, d, d_k, d_v):
    mechanism = [Cost(0, L * d_k * L), Cost(0, L * L * d_v)]
    return total(dense(L, d, d_k), dense(L, d, d_k), dense(L, d, d_v), *mechanism)


def convolution_counts(L, d, d_v, k):
    return dense(L, k * d, d_v)


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    one = total(dense(L, d, h), dense(L, h, h, bias=False))
    return total(one, one)
