# points: 1
# message: merge_heads with x


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-3, -2)


def merge_heads(x):
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], x.shape[-1], -1)
