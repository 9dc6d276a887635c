def split_heads(x, n_heads):
    return torch.from_numpy(x).unflatten(-1, (n_heads, -1)).transpose(-2, -3)


def merge_heads(x):
    return torch.from_numpy(x).transpose(-2, -3).flatten(-2)
