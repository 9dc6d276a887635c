# points: 0
# message: NotImplementedError


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    raise NotImplementedError
