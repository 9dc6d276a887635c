# points: 0
# message: layers.AddAndNorm is called


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.around_1, self.around_2 = layers.AddAndNorm(d, place), layers.AddAndNorm(d, place)

    def forward(self, x, mask=None):
        x = self.around_1.leave(x, self.attention(self.around_1.enter(x), mask=mask)[0])
        return self.around_2.leave(x, self.feed_forward(self.around_2.enter(x)))
