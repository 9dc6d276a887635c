# points: 2
# message: Your code stops with


def split_heads(x, n_heads):
    length, width = x.shape
    return x.reshape(length, n_heads, width // n_heads).transpose(1, 0, 2)


def merge_heads(x):
    n_heads, length, d = x.shape
    return x.transpose(1, 0, 2).reshape(length, n_heads * d)
