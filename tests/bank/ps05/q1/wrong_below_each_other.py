# points: 1
# message: stand below each other


def split_heads(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-2)
