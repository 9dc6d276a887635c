# points: 1
# message: you exchange the axes 1 and 2


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(1, 2)


def merge_heads(x):
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)
