# points: 0
# message: changes its inputs in place


def decoder_mask(ids, n_queries):
    ids[ids != PAD_ID] = 1
    n = ids.shape[1]
    return (torch.tril(torch.ones(n, n, dtype=torch.long))[n - n_queries :] * ids[:, None, None, :]).bool()
