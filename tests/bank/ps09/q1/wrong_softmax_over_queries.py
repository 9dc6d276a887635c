# points: 0
# message: the largest error is


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.sizes = n_heads, n_groups, d_k, d_v
        self.W_Q = nn.Linear(d, n_heads * d_k)
        self.W_K = nn.Linear(d, n_groups * d_k)
        self.W_V = nn.Linear(d, n_groups * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        n_heads, n_groups, d_k, d_v = self.sizes
        if context is None:
            context = x
        batch, l_q, _ = x.shape
        l_k = context.shape[1]
        q = self.W_Q(x).view(batch, l_q, n_heads, d_k).transpose(1, 2)
        k = self.W_K(context).view(batch, l_k, n_groups, d_k).transpose(1, 2)
        v = self.W_V(context).view(batch, l_k, n_groups, d_v).transpose(1, 2)
        k = k.repeat_interleave(n_heads // n_groups, dim=1)
        v = v.repeat_interleave(n_heads // n_groups, dim=1)
        scores = q @ k.transpose(-2, -1) / d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], float("-inf"))
        heads = scores.softmax(dim=-2) @ v
        return self.W_O(heads.transpose(1, 2).reshape(batch, l_q, n_heads * d_v))
