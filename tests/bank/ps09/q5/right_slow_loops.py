class Embed(nn.Module):
    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.positions = nn.Embedding(max_length, d)
        self.factor = d**0.5

    def forward(self, ids):
        columns = []
        for place in range(ids.shape[1]):
            where = torch.full_like(ids[:, place], place)
            columns.append(self.tokens(ids[:, place]) * self.factor + self.positions(where))
        return torch.stack(columns, dim=1)


class Stack(nn.Module):
    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.first = make_block() if n_blocks else nn.Identity()
        self.rest = Stack(make_block, n_blocks - 1) if n_blocks > 1 else nn.Identity()

    def forward(self, x):
        return self.rest(self.first(x))


class Sublayer(nn.Module):
    def __init__(self, part, d, p):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.part = part
        self.p = p

    def forward(self, x):
        p = self.p if self.training else 0.0
        return x + F.dropout(self.part(self.norm(x)), p)


class Ends(nn.Module):
    def __init__(self, n_vocab, d):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)

    @property
    def table(self):
        return self.tokens.weight

    def embed(self, ids):
        return self.tokens(ids)

    def logits(self, x):
        return torch.stack([(x * row).sum(-1) for row in self.table], dim=-1)
