# points: 0
# message: is there dropout in it?


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1 = nn.LayerNorm(d)
        self.norm_2 = nn.LayerNorm(d)
        self.drop = nn.Dropout(0.3)
        self.place = place

    def forward(self, x, mask=None):
        if self.place == "post":
            x = self.norm_1(x + self.drop(self.attention(x, mask=mask)[0]))
            return self.norm_2(x + self.feed_forward(x))
        x = x + self.drop(self.attention(self.norm_1(x), mask=mask)[0])
        return x + self.feed_forward(self.norm_2(x))
