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
        results = []
        for sentence, source, keep in zip(x, memory, real):
            y = sentence[None]
            words = source[keep][None]  # the real words only
            y = self.norm_1(y + self.self_attention(y, mask=causal_mask(y.shape[1]))[0])
            y = self.norm_2(y + self.cross_attention(y, words)[0])
            y = self.norm_3(y + self.feed_forward(y))
            results.append(y)
        return torch.cat(results)
