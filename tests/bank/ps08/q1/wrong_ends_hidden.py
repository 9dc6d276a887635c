# points: 2
# message: They are real tokens


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    real = (ids != PAD_ID) & (ids != EOS_ID)
    return torch.ones(L, L).tril().bool()[-n_queries:] & real[:, None, None]
