class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.sizes = n_heads, n_groups, d_k, d_v
        self.W_Q = nn.Linear(d, n_heads * d_k)
        self.W_K = nn.Linear(d, n_groups * d_k)
        self.W_V = nn.Linear(d, n_groups * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        n_heads, n_groups, _, _ = self.sizes
        asked = x if context is None else context
        group_of = torch.arange(n_heads) // (n_heads // n_groups)
        q = self.W_Q(x).unflatten(-1, (n_heads, -1)).transpose(1, 2)
        k = self.W_K(asked).unflatten(-1, (n_groups, -1)).transpose(1, 2)[:, group_of]
        v = self.W_V(asked).unflatten(-1, (n_groups, -1)).transpose(1, 2)[:, group_of]
        mask = None if mask is None else mask[:, None]
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.W_O(heads.transpose(1, 2).flatten(2))
