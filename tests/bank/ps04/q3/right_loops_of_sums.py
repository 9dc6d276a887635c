def attention_cost(L, d, d_k, d_v):
    parameters = multiply_adds = 0
    for width in (d_k, d_k, d_v):
        parameters += d * width + width
        multiply_adds += L * d * width
    for width in (d_k, d_v):
        multiply_adds += L**2 * width
    return parameters, multiply_adds


attention_counts = attention_cost


def convolution_counts(L, d, d_v, k):
    return float(sum(k * d + 1 for _ in range(d_v))), float(sum(k * d * d_v for _ in range(L)))


def bidirectional_counts(L, d, d_v):
    h = d_v / 2
    return [d_v * (d + h + 1), L * d_v * (d + h)]
