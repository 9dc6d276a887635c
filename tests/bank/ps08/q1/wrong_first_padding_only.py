# points: 0
# message: n_queries = 5


def decoder_mask(ids, n_queries):
    B, L = ids.shape
    real = torch.ones(B, L, dtype=torch.bool)
    real[torch.arange(B), ids.argmin(dim=1)] = False
    places = torch.arange(L)
    return (places <= places[L - n_queries :, None]) & real[:, None, None]
