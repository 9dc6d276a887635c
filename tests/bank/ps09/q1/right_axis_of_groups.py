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
        B, L, _ = x.shape
        q = self.W_Q(x).reshape(B, L, self.G, self.H // self.G, self.d_k).permute(0, 2, 3, 1, 4)
        k = self.W_K(context).reshape(B, -1, self.G, 1, self.d_k).permute(0, 2, 3, 1, 4)
        v = self.W_V(context).reshape(B, -1, self.G, 1, self.d_v).permute(0, 2, 3, 1, 4)
        scores = torch.einsum("bgrid,bgsjd->bgrij", q, k) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None], -torch.inf)
        a = torch.nan_to_num(scores.softmax(-1), 0.0)
        out = torch.einsum("bgrij,bgsjd->bigrd", a, v)
        return self.W_O(out.flatten(2))
