# points: 3
# message: n_queries = 2


def decoder_mask(ids, n_queries):
    L_k = ids.shape[1]
    moved = 0 if n_queries == L_k else 1
    tri = torch.tril(torch.ones(n_queries, L_k, dtype=torch.bool), diagonal=moved)
    return tri & (ids != PAD_ID)[:, None, None, :]
