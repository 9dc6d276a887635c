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
        places = torch.arange(x.shape[1])
        past = places[:, None] >= places[None, :]
        real = real[:, None, :].expand(-1, x.shape[1], -1)
        x = self.norm_1(self.self_attention(x, x, past)[0] + x)
        x = self.norm_2(self.cross_attention(x, context=memory, mask=real, need_weights=True)[0] + x)
        return self.norm_3(self.feed_forward(x) + x)
