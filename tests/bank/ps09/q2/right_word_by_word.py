class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.norm_1 = nn.LayerNorm(d)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.norm_2 = nn.LayerNorm(d)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_3 = nn.LayerNorm(d)

    def forward(self, x, memory, real):
        rows = []
        for i in range(x.shape[1]):
            y = self.self_attention(x[:, i : i + 1], x[:, : i + 1])[0]
            rows.append(self.norm_1(x[:, i : i + 1] + y))
        x = torch.cat(rows, dim=1)
        y = torch.stack(
            [
                self.cross_attention(a[None], b[None, keep])[0][0]
                for a, b, keep in zip(x, memory, real, strict=True)
            ]
        )
        x = self.norm_2(x + y)
        return self.norm_3(x + self.feed_forward(x))
