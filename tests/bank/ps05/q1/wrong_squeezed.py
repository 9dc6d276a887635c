# points: 0
# message: the right numbers in the wrong shape


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3).squeeze()


def merge_heads(x):
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1).squeeze()
