# points: 0
# message: the shape of feed_forward.W_1.weight is


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, 4 * d)
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.place = place

    def forward(self, x, mask=None):
        if self.place == "post":
            x = self.norm_1(x + self.attention(x, mask=mask)[0])
            return self.norm_2(x + self.feed_forward(x))
        x = x + self.attention(self.norm_1(x), mask=mask)[0]
        return x + self.feed_forward(self.norm_2(x))
