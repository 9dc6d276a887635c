# points: 2
# message: you exchange the first two axes


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(0, 1)


def merge_heads(x):
    return x.swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1)
