# points: 1
# message: your reshape joins words instead of heads


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)


def merge_heads(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)
