# points: 3
# message: Padding may stand in front


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    places = torch.arange(L)
    lengths = (ids != PAD_ID).sum(dim=1)
    real = places < lengths[:, None]
    return (places <= places[L - n_queries :, None]) & real[:, None, None, :]
