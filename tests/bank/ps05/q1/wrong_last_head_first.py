# points: 0
# message: your last head stands first


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)[..., ::-1, :, :]


def merge_heads(x):
    x = x[..., ::-1, :, :]
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)
