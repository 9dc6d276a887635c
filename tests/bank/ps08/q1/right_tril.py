def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    triangle = torch.ones(L, L, dtype=torch.bool).tril()[-n_queries:]
    return torch.logical_and(triangle[None, None], (ids != PAD_ID)[:, None, None])
