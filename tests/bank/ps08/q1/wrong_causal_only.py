# points: 1
# message: You hide what comes later, but not the padding


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    causal = torch.ones(L, L, dtype=torch.bool).tril()[L - n_queries :]
    return causal.expand(B, 1, n_queries, L)
