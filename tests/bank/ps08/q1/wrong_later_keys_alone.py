# points: 0
# message: you allow it, and it alone


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    return torch.triu(torch.ones(L, L), diagonal=1).bool()[-n_queries:] & (ids != 0)[:, None, None, :]
