# points: 0
# message: You look to the right


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L, dtype=torch.bool).triu()[L - n_queries :]
    return causal & (ids != PAD_ID)[:, None, None, :]
