class Embed(SickEmbed):
    def forward(self, ids):
        vectors = self.tokens(ids) * self.tokens.embedding_dim**0.5
        places = torch.arange(ids.size(-1)).expand_as(ids)
        return vectors + self.positions(places)


class Stack(SickStack):
    def __init__(self, make_block, n_blocks):
        super().__init__(make_block, n_blocks)
        self.blocks = nn.ModuleList()
        while len(self.blocks) < n_blocks:
            self.blocks.append(make_block())


class Sublayer(SickSublayer):
    def __init__(self, part, d, p):
        super().__init__(part, d, p)
        self.drop = layers.Dropout(p)

    def forward(self, x):
        return x + self.drop(self.part(self.norm(x)))


class Ends(SickEnds):
    def __init__(self, n_vocab, d):
        super().__init__(n_vocab, d)
        self.tokens.weight = self.output.weight
