class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.norm_1 = nn.LayerNorm(d)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.norm_2 = nn.LayerNorm(d)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_3 = nn.LayerNorm(d)

    def forward(self, x, memory, real):
        n = x.shape[1]
        past = torch.ones(len(x), 1, n, n, dtype=torch.bool).tril()
        sublayers = [
            (self.norm_1, lambda x: self.self_attention(x, mask=past)[0]),
            (self.norm_2, lambda x: self.cross_attention(x, memory, mask=real[:, None, None])[0]),
            (self.norm_3, self.feed_forward),
        ]
        for norm, f in sublayers:
            x = norm(x + f(x))
        return x
