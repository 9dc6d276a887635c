# points: 0
# message: NotImplementedError


def layer(x, w, n_heads, n_kv_heads):
    raise NotImplementedError


def diagnosis():
    raise NotImplementedError
