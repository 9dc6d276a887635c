# points: 1
# message: you average the heads


def split_heads(x, n_heads):
    return np.stack(np.split(x, n_heads, -1), -3)


def merge_heads(x):
    return x.mean(axis=-3)
