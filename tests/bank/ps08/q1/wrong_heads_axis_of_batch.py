# points: 3
# message: first entry along axis 0


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    real = ids != PAD_ID
    tri = torch.ones(L, L).tril().bool()[L - n_queries :]
    if B > 2 and (real.sum(1) == real.sum(1)[0]).all():
        real = real[:1].expand(B, L)
    return tri & real[:, None, None]
