def decoder_mask(ids, n_queries):
    real = ids != PAD_ID
    count = real.cumsum(dim=1)  # (B, L_k)
    at_query = count[:, ids.shape[1] - n_queries :]  # (B, L_q)
    # a real key after the query has a larger count than the query, always
    ok = count[:, None, :] <= at_query[:, :, None]
    return (ok & real[:, None, :]).unsqueeze(1)
