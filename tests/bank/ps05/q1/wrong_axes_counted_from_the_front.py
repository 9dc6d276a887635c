# points: 2
# message: has shape


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(0, 1)


def merge_heads(x):
    y = x.swapaxes(0, 1)
    return y.reshape(*y.shape[:-2], -1)
