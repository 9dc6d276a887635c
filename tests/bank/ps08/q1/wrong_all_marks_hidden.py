# points: 2
# message: They are real tokens


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    return torch.ones(L, L).tril().bool()[-n_queries:] & (ids > EOS_ID)[:, None, None]
