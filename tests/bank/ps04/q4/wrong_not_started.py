# points: 0
# message: NotImplementedError


def look_back_attention(Q, K, V, w):
    raise NotImplementedError
