class Embed(nn.Module):
    """What SickEmbed should be."""

    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.d = d
        self.tokens, self.positions = nn.Embedding(n_vocab, d), nn.Embedding(max_length, d)

    def forward(self, ids):
        return F.one_hot(
            ids, self.tokens.num_embeddings
        ).float() @ self.tokens.weight * self.d**0.5 + self.positions(torch.arange(ids.shape[1]))


class Stack(nn.Module):
    """What SickStack should be."""

    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.all = nn.Sequential(*(make_block() for _ in range(n_blocks)))

    def forward(self, x):
        return self.all(x)


class Sublayer(nn.Module):
    """What SickSublayer should be."""

    def __init__(self, part, d, p):
        super().__init__()
        self.norm, self.part = nn.LayerNorm(d), part
        self.dropout = nn.Dropout(p)

    def forward(self, x):
        return x + self.dropout(self.part(self.norm(x)))


class Ends(nn.Module):
    """What SickEnds should be."""

    def __init__(self, n_vocab, d):
        super().__init__()
        self.tokens = nn.Embedding(num_embeddings=n_vocab, embedding_dim=d)

    def embed(self, ids):
        return F.embedding(ids, self.tokens.weight)

    def logits(self, x):
        return F.linear(x, self.tokens.weight)
