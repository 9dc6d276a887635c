def products(*shapes):
    return sum(a * b * c for a, b, c in shapes)


def attention_counts(L, d, d_k, d_v):
    held = [
        np.empty((d, d_k)),
        np.empty(d_k),
        np.empty((d, d_k)),
        np.empty(d_k),
        np.empty((d, d_v)),
        np.empty(d_v),
    ]
    done = products((L, d, d_k), (L, d, d_k), (L, d, d_v), (L, d_k, L), (L, L, d_v))
    return [sum(array.size for array in held), done]


def convolution_counts(L, d, d_v, k):
    held = [np.empty((k, d, d_v)), np.empty(d_v)]
    return [sum(array.size for array in held), products((L, k * d, d_v))]


def bidirectional_counts(L, d, d_v):
    h = d_v // 2
    held = 2 * [np.empty((d, h)), np.empty((h, h)), np.empty(h)]
    return [sum(array.size for array in held), products(*(2 * L * [(1, d, h), (1, h, h)]))]
