# points: 2
# message: you count the axis of the heads from the front


def split_heads(x, n_heads):
    pieces = np.split(x, n_heads, axis=-1)
    return np.stack(pieces, axis=0 if x.ndim == 2 else 1)


def merge_heads(x):
    return np.concatenate(list(x) if x.ndim == 3 else [x[:, h] for h in range(x.shape[1])], axis=-1)
