class PostNorm:
    """Holds no weights itself."""

    def __init__(self, norm):
        self.norm = norm

    def __call__(self, x, new):
        return self.norm(x + new)


class Block(nn.Module):
    """A decoder block with post-norm, which makes its masks itself."""

    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d) for _ in range(3))
        self.self_attention, self.cross_attention = [layers.MultiHeadAttention(d, n_heads) for _ in "12"]
        self.feed_forward = layers.FeedForward(d, d_ff)

    def future_mask(self, n):
        mask = torch.zeros(n, n, dtype=torch.bool)
        for i in range(n):
            mask[i, : i + 1] = True
        return mask

    def forward(self, x, memory, real):
        add_1, add_2, add_3 = map(PostNorm, (self.norm_1, self.norm_2, self.norm_3))
        output, weights = self.self_attention(x, mask=self.future_mask(x.shape[1]).to(x.device))
        y = add_1(x, output)
        output, weights = self.cross_attention(y, memory, mask=real[:, None, :])
        z = add_2(y, output)
        return add_3(z, self.feed_forward(z))
