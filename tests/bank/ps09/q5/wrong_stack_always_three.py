# points: 3
# message: or an input not used


class Embed(nn.Module):
    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.positions = nn.Embedding(max_length, d)

    def forward(self, ids):
        vectors = self.tokens(ids) * self.tokens.embedding_dim**0.5
        places = torch.arange(ids.shape[1])
        return vectors + self.positions(places)


class Stack(nn.Module):
    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.blocks = nn.ModuleList([make_block() for _ in range(3)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Sublayer(nn.Module):
    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.p = part, nn.LayerNorm(d), p

    def forward(self, x):
        return x + F.dropout(self.part(self.norm(x)), self.p, training=self.training)


class Ends(nn.Module):
    def __init__(self, n_vocab, d):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.output = nn.Linear(d, n_vocab, bias=False)
        self.output.weight = self.tokens.weight

    def embed(self, ids):
        return self.tokens(ids)

    def logits(self, x):
        return self.output(x)
