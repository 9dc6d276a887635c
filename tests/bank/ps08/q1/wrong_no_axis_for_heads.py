# points: 0
# message: The axis of the heads is missing


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L, dtype=torch.bool).tril()[L - n_queries :]
    return causal & (ids != PAD_ID)[:, None, :]
