# points: 0
# message: your module has no parameter W_K.bias


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.heads = [nn.Linear(d, d_k) for _ in range(n_heads)]

    def forward(self, x, context=None, mask=None):
        return torch.cat([W(x) for W in self.heads], dim=-1)
