# points: 3
# message: Your mask has a row for every position


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    causal = torch.ones(L, L, dtype=torch.bool).tril()
    return causal & (ids != PAD_ID)[:, None, None, :]
