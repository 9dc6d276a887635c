def decoder_mask(ids, n_queries):
    B, L = ids.shape
    mask = torch.full((B, 1, n_queries, L), False)
    for q in range(n_queries):
        last = L - n_queries + q
        mask[:, 0, q, : last + 1] = ids[:, : last + 1] != 0
    return mask
