# points: 3
# message: The n queries are the last positions


def decoder_mask(ids, n_queries):
    causal = torch.ones(n_queries, ids.shape[1], dtype=torch.bool).tril()
    return causal & (ids != PAD_ID)[:, None, None, :]
