def split_heads(x, n_heads):
    if x.ndim > 2:
        return np.array([split_heads(one, n_heads) for one in x])
    return np.array([piece for piece in np.hsplit(x, n_heads)])


def merge_heads(x):
    if x.ndim > 3:
        return np.array([merge_heads(one) for one in x])
    return np.hstack([head for head in x])
