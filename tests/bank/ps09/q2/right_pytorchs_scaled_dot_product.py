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

    def heads(self, v, n):
        B, L, width = v.shape
        return v.view(B, L, n, width // n).permute(0, 2, 1, 3)

    def attention(self, a, x, context, **how):
        n = a.n_heads
        o = F.scaled_dot_product_attention(
            self.heads(a.W_Q(x), n), self.heads(a.W_K(context), n), self.heads(a.W_V(context), n), **how
        )
        return a.W_O(o.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[1], -1))

    def forward(self, x, memory, real):
        x = self.norm_1(x + self.attention(self.self_attention, x, x, is_causal=True))
        x = self.norm_2(x + self.attention(self.cross_attention, x, memory, attn_mask=real[:, None, None, :]))
        return self.norm_3(x + self.feed_forward(x))
