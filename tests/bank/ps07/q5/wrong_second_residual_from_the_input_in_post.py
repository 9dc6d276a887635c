# points: 2
# message: With place 'post', the second residual goes back


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
            y = self.norm_1(x + self.attention(x, mask=mask)[0])
            return self.norm_2(x + self.feed_forward(y))
        x = x + self.attention(self.norm_1(x), mask=mask)[0]
        return x + self.feed_forward(self.norm_2(x))
