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
        q = self.W_Q(x).unflatten(-1, (n_groups, n_heads // n_groups, d_k))
        k = self.W_K(asked).unflatten(-1, (n_groups, d_k))
        v = self.W_V(asked).unflatten(-1, (n_groups, d_v))
        scores = torch.einsum("bighk,bjgk->bghij", q, k) * d_k**-0.5
        if mask is not None:
            scores = torch.where(mask[:, None, None], scores, -torch.inf)
        heads = torch.einsum("bghij,bjgv->bighv", scores.softmax(-1), v)
        return self.W_O(heads.flatten(2))
