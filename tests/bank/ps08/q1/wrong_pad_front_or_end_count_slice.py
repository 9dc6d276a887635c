# points: 3
# message: also where some of these hold padding in all


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    mask = torch.ones(L, L).tril().bool() & (ids != PAD_ID)[:, None, None]
    used = (ids != PAD_ID).any(dim=0).nonzero().flatten()
    last = int(used[-1]) + 1 if len(used) else L  # the last place where some sentence has a token
    if last < n_queries:
        last = n_queries
    return mask[:, :, last - n_queries : last]
