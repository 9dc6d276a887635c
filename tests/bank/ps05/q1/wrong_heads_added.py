# points: 1
# message: you add the heads


def split_heads(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


def merge_heads(x):
    return x.sum(axis=-3)
