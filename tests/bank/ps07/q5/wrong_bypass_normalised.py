# points: 2
# message: In pre-norm the residual connection carries x itself


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.norm_1 = nn.LayerNorm(d)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_2 = nn.LayerNorm(d)
        self.place = place

    def forward(self, x, mask=None):
        if self.place == "post":
            x = self.norm_1(x + self.attention(x, mask=mask)[0])
            return self.norm_2(x + self.feed_forward(x))
        x = self.norm_1(x)
        x = x + self.attention(x, mask=mask)[0]
        x = self.norm_2(x)
        return x + self.feed_forward(x)
