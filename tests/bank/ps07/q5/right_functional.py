class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        self.attention, self.feed_forward = layers.MultiHeadAttention(d, n_heads), layers.FeedForward(d, d_ff)
        self.norm_1, self.norm_2, self.place = nn.LayerNorm(d), nn.LayerNorm(d), place

    def forward(self, x, mask=None):
        nothing = nn.Identity()
        before_1, after_1 = (self.norm_1, nothing) if self.place == "pre" else (nothing, self.norm_1)
        before_2, after_2 = (self.norm_2, nothing) if self.place == "pre" else (nothing, self.norm_2)
        output, _ = self.attention(before_1(x), mask=mask)
        middle = after_1(torch.add(x, output))
        return after_2(torch.add(middle, self.feed_forward(before_2(middle))))
