# points: 0
# message: You normalise what a sublayer returns


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
        x = x + self.norm_1(self.self_attention(x, mask=causal_mask(x.shape[1]))[0])
        x = x + self.norm_2(self.cross_attention(x, memory, mask=real.unsqueeze(1))[0])
        return x + self.norm_3(self.feed_forward(x))
