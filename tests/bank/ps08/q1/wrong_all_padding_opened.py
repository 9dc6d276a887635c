# points: 3
# message: In a sentence of nothing but padding


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    real = ids != PAD_ID
    real = real | ~real.any(dim=1, keepdim=True)
    tri = torch.tril(torch.ones(L, L, dtype=torch.bool))[-n_queries:]
    return tri & real[:, None, None]
