# points: 0
# message: your heads take turns


def split_heads(x, n_heads):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, n_heads), -1, -3)


def merge_heads(x):
    y = np.moveaxis(x, -3, -1)
    return y.reshape(*y.shape[:-2], -1)
