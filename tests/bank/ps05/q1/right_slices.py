def split_heads(x, n_heads):
    d = x.shape[-1] // n_heads
    return np.stack([x[..., h * d : (h + 1) * d] for h in range(n_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)
