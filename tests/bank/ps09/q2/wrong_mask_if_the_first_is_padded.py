# points: 4
# message: Inputs: Block(4, 2


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

    def forward(self, x, memory, real):
        """(B, L_t, d), (B, L_s, d), (B, L_s) -> (B, L_t, d)."""
        mask = None if real[0].all() else real[:, None, :]
        x = self.norm_1(x + self.self_attention(x, mask=causal_mask(x.shape[1]))[0])
        x = self.norm_2(x + self.cross_attention(x, memory, mask=mask)[0])
        return self.norm_3(x + self.feed_forward(x))
