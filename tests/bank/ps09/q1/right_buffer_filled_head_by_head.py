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
        Q, K, V = self.W_Q(x), self.W_K(context), self.W_V(context)
        y = torch.zeros(*x.shape[:2], self.H * self.d_v)
        for h in range(self.H):
            g = h // (self.H // self.G)
            y[..., h * self.d_v : (h + 1) * self.d_v] = layers.attention(
                Q[..., h * self.d_k : (h + 1) * self.d_k],
                K[..., g * self.d_k : (g + 1) * self.d_k],
                V[..., g * self.d_v : (g + 1) * self.d_v],
                mask,
            )[0]
        return self.W_O(y)
