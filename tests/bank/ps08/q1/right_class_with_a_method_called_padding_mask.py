class Masks:
    def __init__(self, ids):
        self.ids = ids

    def padding_mask(self):
        return self.ids.ne(PAD_ID).unsqueeze(1).unsqueeze(2)

    def causal_mask(self, n):
        L = self.ids.size(1)
        return torch.ones(L, L, dtype=torch.bool).tril()[L - n :]


def row(ids, n):
    masks = Masks(ids)
    return torch.logical_and(masks.causal_mask(n), masks.padding_mask())


decoder_mask = lambda ids, n_queries: row(ids, n_queries)
