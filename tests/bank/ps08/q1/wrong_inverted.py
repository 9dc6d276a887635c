# points: 0
# message: Your mask is inverted


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    later = torch.ones(L, L, dtype=torch.bool).triu(1)[L - n_queries :]
    return later | (ids == PAD_ID)[:, None, None, :]
