# points: 0
# message: lets everybody look at all real tokens, also at later ones


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    mask = torch.ones(len(ids), 1, n_queries, L, dtype=torch.bool)
    for b, row in enumerate(ids):
        for q in range(n_queries):
            for k in range(L - n_queries + q + 1):
                if row[k] != PAD_ID:
                    mask[b, 0, q, k] = True
    return mask
