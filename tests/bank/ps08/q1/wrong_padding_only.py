# points: 0
# message: You hide the padding, but not what comes later


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    return (ids != PAD_ID)[:, None, None, :].expand(B, 1, n_queries, L)
