# points: 4
# message: first sentence's source


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        attention = lambda: layers.MultiHeadAttention(d, n_heads, fused=False)
        self.self_attention, self.cross_attention = attention(), attention()
        self.feed_forward = layers.FeedForward(d, d_ff)
        for number in (1, 2, 3):
            setattr(self, f"norm_{number}", nn.LayerNorm(d))

    def forward(self, x, memory, real):
        def sublayer(number, x, function):
            norm = getattr(self, f"norm_{number}")
            return norm(function(x).add(x))

        words = torch.arange(x.size(1))
        past = words <= words.unsqueeze(1)
        x = sublayer(1, x, lambda x: self.self_attention(x, mask=past)[0])
        x = sublayer(2, x, lambda x: self.cross_attention(x, memory, mask=real[:1, None, :])[0])
        return sublayer(3, x, self.feed_forward)
