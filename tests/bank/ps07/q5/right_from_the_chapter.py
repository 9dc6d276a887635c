class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place="pre", dropout=0.0):
        super().__init__()
        self.attention, self.norm_1 = layers.MultiHeadAttention(d, n_heads), nn.LayerNorm(d)
        self.feed_forward, self.norm_2 = layers.FeedForward(d, d_ff), nn.LayerNorm(d)
        self.pre, self.dropout = place == "pre", nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.dropout(self.attention(self.norm_1(x), mask=mask)[0])
            return x + self.dropout(self.feed_forward(self.norm_2(x)))
        x = self.norm_1(x + self.dropout(self.attention(x, mask=mask)[0]))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))
