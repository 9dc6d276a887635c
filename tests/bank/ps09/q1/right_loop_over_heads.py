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
        asked = x if context is None else context
        q, k, v = self.W_Q(x), self.W_K(asked), self.W_V(asked)
        outputs = []
        for h in range(n_heads):
            g = h * n_groups // n_heads
            mine = q[..., h * d_k : (h + 1) * d_k]
            keys, values = k[..., g * d_k : (g + 1) * d_k], v[..., g * d_v : (g + 1) * d_v]
            outputs.append(layers.attention(mine, keys, values, mask)[0])
        return self.W_O(torch.cat(outputs, dim=-1))
