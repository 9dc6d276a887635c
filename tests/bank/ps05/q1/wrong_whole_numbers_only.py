# points: 0
# message: cut off to whole numbers


def split_heads(x, n_heads):
    *front, L, width = x.shape
    out = np.zeros((*front, n_heads, L, width // n_heads), dtype=int)
    for h in range(n_heads):
        out[..., h, :, :] = np.split(x, n_heads, axis=-1)[h]
    return out


def merge_heads(x):
    *front, H, L, d = x.shape
    out = np.zeros((*front, L, H * d), dtype=int)
    for h in range(H):
        out[..., h * d : (h + 1) * d] = x[..., h, :, :]
    return out
