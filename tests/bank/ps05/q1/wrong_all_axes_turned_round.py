# points: 1
# message: split_heads


def split_heads(x, n_heads):
    return x.reshape(len(x), n_heads, -1).T


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)
