# points: 1
# message: You hide the rows of the padding


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L, dtype=torch.bool).tril()
    return (causal & (ids != PAD_ID)[:, None, :, None])[:, :, L - n_queries :]
