def causal_mask(n):
    return torch.tril(torch.ones(n, n)) > 0


def padding_mask(ids):
    return (ids != PAD_ID)[:, None, None, :]


def decoder_mask(ids, n_queries: int):
    whole = causal_mask(ids.shape[1]) & padding_mask(ids)
    return whole[:, :, -n_queries:]  # n_queries >= 1, so that -0 cannot happen
