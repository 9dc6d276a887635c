# points: 2
# message: your heads stand before the sequences


def split_heads(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1))


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)
