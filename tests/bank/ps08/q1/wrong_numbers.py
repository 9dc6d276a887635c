# points: 0
# message: expected are booleans


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L).tril()[L - n_queries :]
    return causal * (ids != PAD_ID)[:, None, None, :]
