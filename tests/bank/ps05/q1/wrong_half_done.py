# points: 1
# message: NotImplementedError


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)


def merge_heads(x):
    raise NotImplementedError
