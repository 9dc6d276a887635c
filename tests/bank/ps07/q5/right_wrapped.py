class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.norm_2, self.norm_1 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.place = place

    def around(self, norm, f, x):
        return norm(x + f(x)) if self.place == "post" else x + f(norm(x))

    def forward(self, x, mask=None):
        x = self.around(self.norm_1, lambda z: self.attention(z, mask=mask)[0], x)
        return self.around(self.norm_2, self.feed_forward, x)
