# points: 4
# message: it has read sources without padding before


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
        self.source_mask = None

    def forward(self, x, memory, real):
        # a batch of the same shape has other padding
        if self.source_mask is None or self.source_mask.shape[-1] != real.shape[-1]:
            self.source_mask = real.unsqueeze(1)
        x = self.norm_1(x + self.self_attention(x, mask=causal_mask(x.shape[1]))[0])
        x = self.norm_2(x + self.cross_attention(x, memory, mask=self.source_mask)[0])
        return self.norm_3(x + self.feed_forward(x))
