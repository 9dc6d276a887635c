# points: 0
# message: your block has no parameter attention


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.place = place
        self.parts = [
            layers.MultiHeadAttention(d, n_heads),
            nn.LayerNorm(d),
            layers.FeedForward(d, d_ff),
            nn.LayerNorm(d),
        ]

    def forward(self, x, mask=None):
        attention, norm_1, feed_forward, norm_2 = self.parts
        if self.place == "post":
            x = norm_1(x + attention(x, mask=mask)[0])
            return norm_2(x + feed_forward(x))
        x = x + attention(norm_1(x), mask=mask)[0]
        return x + feed_forward(norm_2(x))
