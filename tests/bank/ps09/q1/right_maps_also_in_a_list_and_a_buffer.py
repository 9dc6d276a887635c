class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d, n_heads * d_k)
        self.W_K = nn.Linear(d, n_groups * d_k)
        self.W_V = nn.Linear(d, n_groups * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d)
        self.maps = nn.ModuleList([self.W_Q, self.W_K, self.W_V])
        self.numbers = [n_heads, n_groups, n_groups]
        self.dropout = nn.Dropout(0.0)
        self.register_buffer("group_of", torch.arange(n_heads) // (n_heads // n_groups))

    def forward(self, x, context=None, mask=None):
        words = [x] + 2 * [x if context is None else context]
        q, k, v = [
            torch.stack(W(w).chunk(n, dim=-1), dim=1)
            for W, w, n in zip(self.maps, words, self.numbers, strict=True)
        ]
        k, v = k[:, self.group_of], v[:, self.group_of]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / self.d_k**0.5
        if mask is not None:
            penalty = torch.zeros(mask.shape)
            penalty[~mask] = float("-inf")
            scores = scores + penalty[:, None]
        weights = self.dropout(scores.softmax(-1))
        return self.W_O(torch.cat((weights @ v).unbind(1), dim=-1))
