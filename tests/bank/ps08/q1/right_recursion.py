def decoder_mask(ids, n_queries):
    def rows(last, how_many):
        own = (ids != PAD_ID) & (torch.arange(ids.shape[1]) <= last)
        own = own[:, None, None]
        if how_many == 1:
            return own
        return torch.cat([rows(last - 1, how_many - 1), own], dim=2)

    return rows(ids.shape[1] - 1, n_queries)
