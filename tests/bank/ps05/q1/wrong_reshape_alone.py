# points: 0
# message: your reshape cuts the rows into pieces


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def merge_heads(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)
