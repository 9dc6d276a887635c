# points: 3
# message: the last block does not run


class Embed(nn.Module):
    def __init__(self, n_vocab, d, max_length):
        super().__init__()
        self.n_vocab, self.d = n_vocab, d
        self.tokens, self.positions = nn.Embedding(n_vocab, d), nn.Embedding(max_length, d)

    def forward(self, ids):
        result = torch.zeros(*ids.shape, self.d)
        result += F.one_hot(ids, self.n_vocab).float() @ self.tokens.weight * torch.tensor(self.d).sqrt()
        for place in range(ids.shape[1]):
            result[:, place] += self.positions.weight[place]
        return result


class Stack(nn.Module):
    def __init__(self, make_block, n_blocks):
        super().__init__()
        self.n_blocks = n_blocks
        for number in range(n_blocks):
            self.add_module(f"block_{number}", make_block())

    def forward(self, x):
        for number in range(self.n_blocks - 1):
            x = getattr(self, f"block_{number}")(x)
        return x


class Sublayer(nn.Module):
    def __init__(self, part, d, p):
        super().__init__()
        self.part, self.norm, self.p = part, nn.LayerNorm(d), p

    def forward(self, x):
        update = self.part(self.norm(x))
        if not self.training:
            return x + update
        stays = (torch.rand(update.shape) >= self.p).float()
        return x + stays * update / (1 - self.p)


class Ends(nn.Module):
    def __init__(self, n_vocab, d):
        super().__init__()
        self.n_vocab = n_vocab
        self.tokens = nn.Embedding(n_vocab, d)

    def embed(self, ids):
        return F.one_hot(ids, self.n_vocab).float() @ self.tokens.weight

    def logits(self, x):
        return torch.einsum("...d,nd->...n", x, self.tokens.weight)
