# points: 3
# message: The first entry along axis 0 is right, the second is not


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1, self.norm_2, self.norm_3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x, memory, real):
        past = causal_mask(x.shape[1])
        if real.shape[1] == x.shape[1]:  # padding is hidden from the target's words, too
            past = past & real.unsqueeze(1)
        x = self.norm_1(x + self.self_attention(x, mask=past)[0])
        x = self.norm_2(x + self.cross_attention(x, memory, mask=real.unsqueeze(1))[0])
        return self.norm_3(x + self.feed_forward(x))
