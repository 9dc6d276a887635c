# points: 1
# message: n_heads is the number of heads


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], -1, n_heads).swapaxes(-2, -3)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)
