# points: 3
# message: it has read shorter targets before


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
        L = x.shape[1]
        # a longer sentence later finds too small a mask
        if not hasattr(self, "causal"):
            self.causal = causal_mask(L)
        x = self.norm_1(x + self.self_attention(x, mask=self.causal[:L, :L])[0])
        x = self.norm_2(x + self.cross_attention(x, memory, mask=real[:, None])[0])
        return self.norm_3(x + self.feed_forward(x))
