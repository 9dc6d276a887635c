class Cache:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def append(self, k, v):
        self.keys = torch.cat([self.keys, k[:, None]], dim=1)
        self.values = torch.cat([self.values, v[:, None]], dim=1)

    def scaled_dot_product_attention(self, q):
        scores = torch.einsum("bk,blk->bl", q, self.keys) * self.keys.size(2) ** -0.5
        return torch.einsum("bl,blv->bv", scores.softmax(1), self.values)


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    cache, rows = Cache(keys, values), []
    for word in x.unbind(1):
        cache.append(word @ W_K, word @ W_V)
        rows.append(cache.scaled_dot_product_attention(word @ W_Q))
    return torch.stack(rows, 1), cache.keys, cache.values
