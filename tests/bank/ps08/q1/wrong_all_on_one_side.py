# points: 3
# message: you hide all of it on one side


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    place = torch.arange(L)
    n = (ids != 0).sum(1, keepdim=True)
    real = torch.where(ids[:, :1] == 0, place >= L - n, place < n)
    return (place <= place[-n_queries:, None]) & real[:, None, None, :]
