# points: 3
# message: the logits stayed as they were


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
    """What SickStack should be."""

    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.blocks = nn.ModuleList([make_block() for _ in range(n_blocks)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Sublayer(nn.Module):
    """What SickSublayer should be."""

    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.p = part, nn.LayerNorm(d), p

    def forward(self, x):
        return x + F.dropout(self.part(self.norm(x)), self.p, self.training)


class Ends(nn.Module):
    """What SickEnds should be."""

    def __init__(self, n_vocab, d):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.transposed = None

    def embed(self, ids):
        return self.tokens(ids)

    def logits(self, x):
        # training changes the table after this
        if self.transposed is None:
            self.transposed = self.tokens.weight.t().contiguous()
        return x @ self.transposed
