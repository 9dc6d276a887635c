import torch


def limit_weights(scores):
    s = torch.tensor(scores)
    wins = (s == s.amax(dim=-1, keepdim=True)) & ~torch.isneginf(s)
    return wins.double() / wins.sum(dim=-1, keepdim=True).clamp(min=1)
