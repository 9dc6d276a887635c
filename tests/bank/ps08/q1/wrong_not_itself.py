# points: 0
# message: A position may look at itself


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L, dtype=torch.bool).tril(-1)[L - n_queries :]
    return causal & (ids != PAD_ID)[:, None, None, :]
