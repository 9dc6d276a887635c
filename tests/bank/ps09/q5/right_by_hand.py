class Embed(nn.Module):
    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.positions = nn.Embedding(max_length, d)
        self.scale = d**0.5

    def forward(self, ids):
        columns = [
            self.scale * self.tokens(ids[:, i]) + self.positions.weight[i] for i in range(ids.shape[1])
        ]
        return torch.stack(columns, dim=1)


class Stack(nn.Module):
    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.n_blocks = n_blocks
        for i in range(n_blocks):
            self.add_module(f"block_{i}", make_block())

    def forward(self, x):
        for i in range(self.n_blocks):
            x = getattr(self, f"block_{i}")(x)
        return x


class Sublayer(nn.Module):
    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.p = part, nn.LayerNorm(d), p

    def forward(self, x):
        update = self.part(self.norm(x))
        if self.training:
            keep = torch.rand(update.shape) >= self.p
            update = update * keep / (1 - self.p)
        return x + update


class Ends(nn.Module):
    def __init__(self, n_vocab, d):
        super().__init__()
        self.output = nn.Linear(d, n_vocab, bias=False)
        self.tokens = nn.Embedding(n_vocab, d)
        self.output.weight = self.tokens.weight

    def embed(self, ids):
        return F.embedding(ids, self.output.weight)

    def logits(self, x):
        return self.output(x)
