# points: 0
# message: the largest error is


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.n_heads, self.each, self.d_k, self.d_v = n_heads, n_heads // n_groups, d_k, d_v
        self.W_Q, self.W_K = nn.Linear(d, n_heads * d_k), nn.Linear(d, n_groups * d_k)
        self.W_V, self.W_O = nn.Linear(d, n_groups * d_v), nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        context = x if context is None else context
        Q, K, V = self.W_Q(x), self.W_K(context), self.W_V(context)
        found = []
        for h in range(self.n_heads):
            g = h // self.each
            of_group = V[..., g * self.d_v : (g + 1) * self.d_v]
            head, _ = layers.attention(Q[..., h : h + self.d_k], K[..., g : g + self.d_k], of_group, mask)
            found.append(head)
        return self.W_O(torch.cat(found, dim=-1))
