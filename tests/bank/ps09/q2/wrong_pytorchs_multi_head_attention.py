# points: 0
# message: multi_head_attention_forward is called


class Block(nn.Module):
    """A decoder block with post-norm, which makes its masks itself."""

    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d) for _ in range(3))

    def attend(self, part, x, context, **hidden):
        d = x.shape[-1]
        maps = [part.W_Q, part.W_K, part.W_V]
        x, context = x.transpose(0, 1), context.transpose(0, 1)
        # the course's attention has weights of the same shapes, but is not called
        update, _ = F.multi_head_attention_forward(
            *(x, context, context, d, part.n_heads),
            *(torch.cat([part.weight for part in maps]), torch.cat([part.bias for part in maps])),
            *(None, None, False, 0.0, part.W_O.weight, part.W_O.bias),
            need_weights=False,
            **hidden,
        )
        return update.transpose(0, 1)

    def forward(self, x, memory, real):
        """(B, L_t, d), (B, L_s, d), (B, L_s) -> (B, L_t, d)."""
        x = self.norm_1(x + self.attend(self.self_attention, x, x, attn_mask=~causal_mask(x.shape[1])))
        x = self.norm_2(x + self.attend(self.cross_attention, x, memory, key_padding_mask=~real))
        return self.norm_3(x + self.feed_forward(x))
