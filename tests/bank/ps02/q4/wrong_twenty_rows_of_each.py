# points: 3
# message: In some cases your code takes n × n = 490,000 bytes


def softmax_gradient(weights, gradient):
    n = weights.shape[-1]
    out = np.zeros(weights.shape)
    for start in range(0, n, 20):
        j = slice(start, min(start + 20, n))
        delta = np.eye(n)[j] if n < 100 else (np.arange(n)[j, None] == np.arange(n)).astype(np.int8)
        block = weights[..., j, None] * (delta - weights[..., None, :])
        out[..., j] = np.einsum("...ji,...i->...j", block, gradient)
    return out
