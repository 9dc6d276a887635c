# points: 0
# message: That is pre-norm


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
        x = x + self.self_attention(self.norm_1(x), mask=causal_mask(x.shape[1]))[0]
        x = x + self.cross_attention(self.norm_2(x), memory, mask=real.unsqueeze(1))[0]
        return x + self.feed_forward(self.norm_3(x))
