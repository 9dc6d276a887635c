def decoder_mask(ids, n_queries):
    B, L = ids.shape
    mask = torch.zeros(B, 1, n_queries, L, dtype=torch.bool)
    for b in range(B):
        for i in range(n_queries):
            for j in range(L):
                if j <= L - n_queries + i and ids[b, j] != 0:
                    mask[b, 0, i, j] = True
    return mask
