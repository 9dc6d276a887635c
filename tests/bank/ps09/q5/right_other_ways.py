class Embed(nn.Module):
    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)
        self.positions = nn.Embedding(max_length, d)

    def forward(self, ids):
        n, length = ids.shape
        places = torch.arange(length).expand(n, length)
        return self.positions(places) + self.tokens(ids).mul(self.tokens.weight.shape[1] ** 0.5)


import copy


class Stack(nn.Module):
    def __init__(self, make_block, n_blocks):
        super().__init__()
        block = make_block()
        self.blocks = nn.ModuleList(copy.deepcopy(block) for _ in range(n_blocks))

    def forward(self, x):
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        return x


class Sublayer(nn.Module):
    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.dropout = part, nn.LayerNorm(d), layers.Dropout(p)

    def forward(self, x):
        return self.dropout(self.part(self.norm(x))) + x


class Ends(nn.Module):
    def __init__(self, n_vocab, d):
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, d)

    def embed(self, ids):
        return self.tokens.weight[ids]

    def logits(self, x):
        return torch.einsum("...d,nd->...n", x, self.tokens.weight)
