class Block(nn.Module):
    """A decoder block with post-norm, which makes its masks itself."""

    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1 = nn.LayerNorm(d)
        self.norm_2 = nn.LayerNorm(d)
        self.norm_3 = nn.LayerNorm(d)
        self._masks = {}

    def past(self, length):
        if length not in self._masks:
            self._masks[length] = causal_mask(length)
        return self._masks[length]

    def forward(self, x, memory, real):
        """(B, L_t, d), (B, L_s, d), (B, L_s) -> (B, L_t, d)."""
        y, _ = self.self_attention(x, mask=self.past(x.shape[1]))
        x = self.norm_1(y + x)
        y, _ = self.cross_attention(x, memory, mask=None if real.all() else real[:, None, :])
        x = self.norm_2(y + x)
        y = self.feed_forward(x)
        x = self.norm_3(y + x)
        return x
