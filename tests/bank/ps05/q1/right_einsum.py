def split_heads(x, n_heads):
    return np.einsum("...lhd->...hld", x.reshape(x.shape[:-1] + (n_heads, -1)))


def merge_heads(x):
    y = np.einsum("...hld->...lhd", x)
    return y.reshape(y.shape[:-2] + (-1,))
