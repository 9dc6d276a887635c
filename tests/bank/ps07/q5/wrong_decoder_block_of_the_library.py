# points: 0
# message: DecoderBlock is called


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        inner = layers.DecoderBlock(d, n_heads, d_ff)
        self.attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = inner.feed_forward
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.place = place

    def forward(self, x, mask=None):
        x = self.norm_1(x + self.attention(x, mask=mask)[0])
        return self.norm_2(x + self.feed_forward(x))
