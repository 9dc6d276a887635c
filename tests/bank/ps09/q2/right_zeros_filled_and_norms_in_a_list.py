class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.d = d
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.cross_attention = layers.MultiHeadAttention(d_model=d, n_heads=n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1 = nn.LayerNorm(d)
        self.norm_2 = nn.LayerNorm(d)
        self.norm_3 = nn.LayerNorm(d)
        self.norms = nn.ModuleList([self.norm_1, self.norm_2, self.norm_3])
        self.register_buffer("past", torch.tril(torch.ones(64, 64)).bool())

    def forward(self, x, memory, real):
        length = x.shape[1]
        seen = torch.zeros(len(x), length, memory.shape[1], dtype=torch.bool)
        for b in range(len(x)):
            seen[b, :] = real[b]
        sums = torch.zeros(len(x), length, self.d)
        sums[:] = x + self.self_attention(x, x, self.past[:length, :length])[0]
        sums[:] = (y := self.norms[0](sums)) + self.cross_attention(y, memory, seen)[0]
        sums[:] = (y := self.norms[1](sums)) + self.feed_forward(y)
        return self.norms[2](sums)
