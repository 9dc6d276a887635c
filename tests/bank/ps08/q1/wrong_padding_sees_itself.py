# points: 1
# message: You let padding look at itself


def decoder_mask(ids, n_queries):
    L = ids.shape[1]
    return (torch.tril(torch.ones(L, L)).bool()[-n_queries:] & (ids != 0)[:, None, None, :]) | torch.eye(
        L
    ).bool()[-n_queries:]
