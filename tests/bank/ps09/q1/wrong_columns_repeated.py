# points: 3
# message: the largest error is


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.H, self.G, self.d_k, self.d_v = n_heads, n_groups, d_k, d_v
        self.W_Q = nn.Linear(d, n_heads * d_k)
        self.W_K = nn.Linear(d, n_groups * d_k)
        self.W_V = nn.Linear(d, n_groups * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        if context is None:
            context = x
        q = self.W_Q(x).unflatten(-1, (self.H, self.d_k)).transpose(1, 2)
        k = (
            self.W_K(context)
            .repeat_interleave(self.H // self.G, -1)
            .unflatten(-1, (self.H, self.d_k))
            .transpose(1, 2)
        )
        v = (
            self.W_V(context)
            .repeat_interleave(self.H // self.G, -1)
            .unflatten(-1, (self.H, self.d_v))
            .transpose(1, 2)
        )
        if mask is not None:
            mask = mask.unsqueeze(1)
        out, weights = layers.attention(q, k, v, mask)
        return self.W_O(out.transpose(1, 2).flatten(2))
