class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        for name, part in {
            "attention": layers.MultiHeadAttention(d, n_heads, fused=False),
            "norm_1": nn.LayerNorm(d),
            "feed_forward": layers.FeedForward(d, d_ff),
            "norm_2": nn.LayerNorm(d),
        }.items():
            self.add_module(name, part)
        self.before = {"pre": True, "post": False}[place]

    def forward(self, x, mask=None):
        out = x.clone()
        for number, norm in enumerate((self.norm_1, self.norm_2)):
            read = norm(out) if self.before else out
            update = self.feed_forward(read) if number else self.attention(read, None, mask)[0]
            out += update
            if not self.before:
                out = norm(out)
        return out
