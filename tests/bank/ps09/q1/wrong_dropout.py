# points: 0
# message: dropped at random


class SharedAttention(nn.Module):
    def __init__(self, d, n_heads, n_groups, d_k, d_v):
        super().__init__()
        self.n_heads, self.n_groups, self.d_k, self.d_v = n_heads, n_groups, d_k, d_v
        for name, size_in, size_out in [
            ("W_Q", d, n_heads * d_k),
            ("W_K", d, n_groups * d_k),
            ("W_V", d, n_groups * d_v),
            ("W_O", n_heads * d_v, d),
        ]:
            self.add_module(name, nn.Linear(size_in, size_out))

    def softmax(self, scores):
        e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return e / e.sum(dim=-1, keepdim=True)

    def forward(self, x, context=None, mask=None):
        if context is None:
            context = x
        if mask is None:
            mask = torch.ones(len(x), 1, context.shape[1], dtype=torch.bool)
        mask = mask.expand(len(x), x.shape[1], context.shape[1])
        heads = torch.zeros(len(x), x.shape[1], self.n_heads * self.d_v)
        for b in range(len(x)):
            q, k, v = self.W_Q(x[b]), self.W_K(context[b]), self.W_V(context[b])
            for h in range(self.n_heads):
                g = h * self.n_groups // self.n_heads
                q_h = q[:, h * self.d_k : (h + 1) * self.d_k]
                k_h = k[:, g * self.d_k : (g + 1) * self.d_k]
                scores = q_h @ k_h.T / torch.sqrt(torch.tensor(self.d_k))
                weights = self.softmax(torch.where(mask[b], scores, torch.tensor(-1e9)))
                values = v[:, g * self.d_v : (g + 1) * self.d_v]
                heads[b, :, h * self.d_v : (h + 1) * self.d_v] = weights @ values
        return self.W_O(F.dropout(heads, 0.3, self.training))
