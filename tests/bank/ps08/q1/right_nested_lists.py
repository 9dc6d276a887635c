def decoder_mask(ids, n_queries):
    B, L = ids.shape
    return [
        [[[bool(j <= i and ids[b, j] != 0) for j in range(L)] for i in range(L - n_queries, L)]]
        for b in range(B)
    ]
