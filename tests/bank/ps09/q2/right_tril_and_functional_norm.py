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
        L_t = x.size(1)
        triangle = torch.tril(torch.ones(L_t, L_t, dtype=torch.bool, device=x.device))

        def ln(z, part):
            return F.layer_norm(z, part.normalized_shape, part.weight, part.bias, part.eps)

        s = self.self_attention(x, mask=triangle)[0]
        x = ln(x + s, self.norm_1)
        c = self.cross_attention(x, memory, mask=real.view(real.size(0), 1, real.size(1)))[0]
        x = ln(torch.add(x, c), self.norm_2)
        return ln(x + self.feed_forward(x), self.norm_3)
