# points: 4
# message: changes its inputs in place


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
        x += self.self_attention(x, mask=causal_mask(x.shape[1]))[0]
        x = self.norm_1(x)
        x = self.norm_2(x + self.cross_attention(x, memory, mask=real.unsqueeze(1))[0])
        return self.norm_3(x + self.feed_forward(x))
