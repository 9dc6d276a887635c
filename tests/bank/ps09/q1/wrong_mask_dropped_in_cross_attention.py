# points: 3
# message: not used where a context is given


class SharedAttention(nn.Module):
    """Attention of n_heads heads, of which n_heads / n_groups at a time share keys and values."""

    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.n_heads, self.n_groups = n_heads, n_groups
        self.W_Q = nn.Linear(d, n_heads * d_k)
        self.W_K = nn.Linear(d, n_groups * d_k)
        self.W_V = nn.Linear(d, n_groups * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d)

    def forward(self, x, context=None, mask=None):
        """(B, L_q, d), (B, L_k, d), (B, L_q or 1, L_k) -> (B, L_q, d)."""
        asked = x if context is None else context
        q = self.W_Q(x).unflatten(2, (self.n_heads, -1)).transpose(1, 2)
        k, v = (W(asked).unflatten(2, (self.n_groups, -1)).transpose(1, 2) for W in (self.W_K, self.W_V))
        share = self.n_heads // self.n_groups
        k, v = k.repeat_interleave(share, dim=1), v.repeat_interleave(share, dim=1)
        heads, _ = layers.attention(
            q, k, v, None if mask is None or context is not None else mask.unsqueeze(1)
        )
        return self.W_O(heads.transpose(1, 2).flatten(2))
