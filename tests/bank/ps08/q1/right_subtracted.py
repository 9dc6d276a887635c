def decoder_mask(ids, n_queries):
    L = ids.shape[-1]
    distance = torch.arange(L)[None, :] - torch.arange(L)[:, None]
    causal = distance.le(0)[-n_queries:]
    return torch.einsum("qk,bk->bqk", causal.int(), (ids != PAD_ID).int()).bool().unsqueeze(1)
