# points: 3
# message: last real tokens of each sentence


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    full = torch.ones(L, L).tril().bool() & (ids != PAD_ID)[:, None, None]
    rows = []
    for b in range(B):
        end = L if ids[b, -1] != PAD_ID else int((ids[b] != PAD_ID).sum())
        first = max(end - n_queries, 0)
        rows.append(full[b, :, first : first + n_queries])
    return torch.stack(rows)
