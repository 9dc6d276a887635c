# points: 0
# message: the largest error is


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.n_heads, self.n_groups, self.d_k, self.d_v = n_heads, n_groups, d_k, d_v
        self.W_Q, self.W_K = nn.Linear(d, n_heads * d_k), nn.Linear(d, n_groups * d_k)
        self.W_V, self.W_O = nn.Linear(d, n_groups * d_v), nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        context = x if context is None else context
        each = self.n_heads // self.n_groups
        Q = self.W_Q(x).unflatten(-1, (self.d_k, self.n_heads)).movedim(-1, 1)
        K = self.W_K(context).unflatten(-1, (self.d_k, self.n_groups)).movedim(-1, 1)
        V = self.W_V(context).unflatten(-1, (self.n_groups, self.d_v)).transpose(1, 2)
        K, V = K.repeat_interleave(each, dim=1), V.repeat_interleave(each, dim=1)
        heads, _ = layers.attention(Q, K, V, None if mask is None else mask[:, None])
        return self.W_O(heads.transpose(1, 2).flatten(2))
