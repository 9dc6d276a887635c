# points: 0
# message: True where padding is


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    return torch.tril(torch.ones(L, L)).bool()[-n_queries:] & (ids == 0)[:, None, None, :]
