def split_heads(x, n_heads):
    length, width = x.shape[-2:]
    d = width // n_heads
    out = np.zeros((*x.shape[:-2], n_heads, length, d), dtype=x.dtype)
    for h in range(n_heads):
        for c in range(d):
            out[..., h, :, c] = x[..., :, h * d + c]
    return out


def merge_heads(x):
    n_heads, length, d = x.shape[-3:]
    out = np.empty((*x.shape[:-3], length, n_heads * d), dtype=x.dtype)
    for column in range(n_heads * d):
        out[..., column] = x[..., column // d, :, column % d]
    return out
