# points: 1
# message: All sentences get the padding of the first one


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    mask = torch.ones(L, L).tril().bool()[-n_queries:] & (ids[0] != PAD_ID)
    return mask.expand(len(ids), 1, n_queries, L)
