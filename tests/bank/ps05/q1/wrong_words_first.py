# points: 1
# message: your heads come after the words


def split_heads(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)


def merge_heads(x):
    y = np.swapaxes(x, -2, -3)
    return y.reshape(*y.shape[:-2], -1)
