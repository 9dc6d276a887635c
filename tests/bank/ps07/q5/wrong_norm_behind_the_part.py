# points: 2
# message: the norm stands behind the part


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.place = place

    def forward(self, x, mask=None):
        def attend(words):
            return self.attention(words, mask=mask)[0]

        if self.place == "post":
            x = self.norm_1(x + attend(x))
            return self.norm_2(x + self.feed_forward(x))
        x = x + self.norm_1(attend(x))
        return x + self.norm_2(self.feed_forward(x))
