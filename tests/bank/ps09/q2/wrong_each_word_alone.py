# points: 3
# message: each word sees itself alone


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
        out = [self.self_attention(x[:, i : i + 1])[0] for i in range(x.shape[1])]
        x = self.norm_1(x + torch.cat(out, 1))
        x = self.norm_2(x + self.cross_attention(x, memory, mask=real[:, None, :])[0])
        return self.norm_3(x + self.feed_forward(x))
