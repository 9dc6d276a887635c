# points: 3
# message: must match the size


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
        self.register_buffer("mask", causal_mask(32), persistent=False)

    def forward(self, x, memory, real):
        """(B, L_t, d), (B, L_s, d), (B, L_s) -> (B, L_t, d)."""
        x = self.norm_1(x + self.self_attention(x, mask=self.mask[: x.shape[1], : x.shape[1]])[0])
        x = self.norm_2(x + self.cross_attention(x, memory, mask=real[:, None, :])[0])
        return self.norm_3(x + self.feed_forward(x))
