def split_heads(x, n_heads):
    columns = np.arange(x.shape[-1]).reshape(n_heads, 1, -1)
    words = np.arange(x.shape[-2])[:, None]
    return x[..., words, columns]


def merge_heads(x):
    flat = torch.as_tensor(x).movedim(-3, -2).flatten(start_dim=-2)
    return flat.numpy()


def _self_check():
    x = np.random.rand(2, 3, 8)
    assert np.array_equal(merge_heads(split_heads(x, 4)), x)
