# points: 0
# message: have one head each


class Block(nn.Module):
    """A decoder block with post-norm, which makes its masks itself."""

    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, 1)
        self.cross_attention = layers.MultiHeadAttention(d, 1)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d) for _ in range(3))

    def forward(self, x, memory, real):
        """(B, L_t, d), (B, L_s, d), (B, L_s) -> (B, L_t, d)."""
        update, _ = self.self_attention(x, mask=causal_mask(x.shape[1]))
        x = self.norm_1(x + update)
        update, _ = self.cross_attention(x, memory, mask=real.unsqueeze(1))
        x = self.norm_2(x + update)
        return self.norm_3(x + self.feed_forward(x))
