# points: 1
# message: in the wrong shape


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    tri = torch.tril(torch.ones(1, L, L, dtype=torch.bool))[:, L - n_queries :]
    mask = (tri & (ids != PAD_ID)[:, None, :]).squeeze()
    return mask.unsqueeze(1)
