# points: 1
# message: You hide rows and columns of the padding


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    real = (ids != PAD_ID)[:, None]
    both = real[..., :, None] & real[..., None, :] & torch.ones(L, L, dtype=torch.bool).tril()
    return both[:, :, L - n_queries :]
