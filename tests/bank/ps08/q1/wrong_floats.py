# points: 0
# message: expected are booleans


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    return torch.ones(L, L).tril()[-n_queries:] * (ids != PAD_ID)[:, None, None]
