class Embed(nn.Module):
    """What SickEmbed should be."""

    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.positions = nn.Embedding(max_length, d)

    def forward(self, ids):
        vectors = self.tokens(ids) * self.tokens.embedding_dim**0.5
        places = torch.arange(ids.shape[1], device=ids.device)
        return vectors + self.positions(places)


class Stack(nn.Module):
    """A first block and the stack of all others."""

    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.first = make_block() if n_blocks else nn.Identity()
        self.others = Stack(make_block, n_blocks - 1) if n_blocks > 1 else nn.Identity()

    def forward(self, x):
        return self.others(self.first(x))


class Sublayer(nn.Module):
    """What SickSublayer should be."""

    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.p = part, nn.LayerNorm(d), p

    def forward(self, x):
        y = self.part(self.norm(x))
        if self.training:
            stays = torch.bernoulli(torch.full_like(y, 1.0 - self.p))
            y = y * stays / (1.0 - self.p)
        return x + y


class Ends(nn.Module):
    """What SickEnds should be."""

    def __init__(self, n_vocab, d):
        super().__init__()
        self.output = nn.Linear(d, n_vocab, bias=False)
        self.tokens = nn.Embedding(n_vocab, d)
        nn.init.normal_(self.output.weight)
        self.tokens.weight = self.output.weight

    def embed(self, ids):
        return self.tokens(ids)

    def logits(self, x):
        return self.output(x)
