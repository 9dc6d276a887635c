class Residual:
    def __init__(self, place, norm):
        self.place, self.norm = place, norm

    def backward(self, x, update):
        return self.norm(x + update) if self.place == "post" else x + update

    def reads(self, x):
        return x if self.place == "post" else self.norm(x)


def row(block, place):
    return Residual(place, block.norm_1), Residual(place, block.norm_2)


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff, place):
        super().__init__()
        for name, part in {
            "attention": layers.MultiHeadAttention(d, n_heads),
            "feed_forward": layers.FeedForward(d, d_ff),
            "norm_1": nn.LayerNorm(d),
            "norm_2": nn.LayerNorm(d),
        }.items():
            self.add_module(name, part)
        self.place = place

    def forward(self, x, mask=None):
        first, second = row(self, self.place)
        out = torch.empty(x.shape)
        out[:] = first.backward(x, self.attention(first.reads(x), mask=mask)[0])
        return second.backward(out, self.feed_forward(second.reads(out)))
