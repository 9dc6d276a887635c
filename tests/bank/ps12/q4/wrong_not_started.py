# points: 0
# message: NotImplementedError


def parameters(card):
    raise NotImplementedError


def cache_bytes(card, n_tokens, bytes_each):
    raise NotImplementedError
