# points: 2
# message: all sequences get what the first one holds


def split_heads(x, n_heads):
    out = x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3).copy()
    if x.ndim > 2:
        out[...] = out.reshape(-1, *out.shape[-3:])[0]
    return out


def merge_heads(x):
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)
