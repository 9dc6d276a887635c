# points: 0
# message: NotImplementedError


def fewer(W, n_heads, n_kv_heads):
    raise NotImplementedError


def as_many(W, n_kv_heads, n_heads):
    raise NotImplementedError
