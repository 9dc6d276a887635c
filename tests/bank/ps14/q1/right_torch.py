import torch


def before(maps):
    return torch.from_numpy(maps).diagonal(-1, 1, 2).mean(-1)


def induction(maps, tokens):
    names = sorted(set(tokens))
    ids = torch.tensor([names.index(word) for word in tokens])
    same = (ids[:, None] == ids).tril(-1)
    follows = torch.nn.functional.pad(same[:, :-1], (1, 0)).double()
    each = torch.einsum("hij,ij->hi", torch.from_numpy(maps), follows)
    known = same.any(1)
    return each[:, known].mean(1) if known.any() else torch.zeros(len(maps))
