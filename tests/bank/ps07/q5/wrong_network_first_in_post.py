# points: 2
# message: With place="post" the feed-forward network comes before


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
            x = self.norm_1(x + self.feed_forward(x))
            return self.norm_2(x + attend(x))
        x = x + attend(self.norm_1(x))
        return x + self.feed_forward(self.norm_2(x))
