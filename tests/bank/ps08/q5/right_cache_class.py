class Cache:
    def __init__(self, old, room):
        B, t, width = old.shape
        self.memory = torch.empty(B, t + room, width)
        self.memory[:, :t] = old
        self.filled = t

    def append(self, new):
        self.memory[:, self.filled : self.filled + new.shape[1]] = new
        self.filled += new.shape[1]
        return self.memory


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    n, t = x.shape[1], keys.shape[1]
    k, v = Cache(keys, n).append(x @ W_K), Cache(values, n).append(x @ W_V)
    q_at = t + torch.arange(n)
    k_at = torch.arange(t + n)
    scores = torch.bmm(x @ W_Q, k.mT) / k.shape[2] ** 0.5
    scores[:, k_at > q_at[:, None]] = -float("inf")
    return torch.bmm(torch.softmax(scores, 2), v), k, v
