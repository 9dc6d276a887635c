# points: 0
# message: leaves out the word itself


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
        past = causal_mask(x.shape[1]).tril(-1)
        seen = real[:, None, :]
        y = self.norm_1(x + self.self_attention(x, mask=past)[0])
        z = self.norm_2(y + self.cross_attention(y, memory, mask=seen)[0])
        return self.norm_3(z + self.feed_forward(z))
