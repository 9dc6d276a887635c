# points: 3
# message: Where a single query asks


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    if n_queries == 1:  # the last one: nothing is later
        return torch.ones(B, 1, 1, L, dtype=torch.bool)
    tri = torch.tril(torch.ones(L, L, dtype=torch.bool))[L - n_queries :]
    return tri & (ids != PAD_ID)[:, None, None, :]
