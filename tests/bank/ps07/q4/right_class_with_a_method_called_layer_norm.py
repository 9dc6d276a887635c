class Standardiser:
    def __init__(self, eps):
        self.eps = eps

    def layer_norm(self, word):
        away = word - word.mean()
        return away / (away.dot(away) / len(word) + self.eps).sqrt()


def row(x, eps):
    return Standardiser(eps).layer_norm(x)


def layer_norm(x, g, h, eps):
    if x.ndim == 1:
        return row(x, eps) * g + h
    return torch.stack([layer_norm(part, g, h, eps) for part in x])


def compare_with_pytorch():
    x = torch.randn(3, 4)
    return torch.allclose(F.layer_norm(x, (4,)), layer_norm(x, torch.ones(4), torch.zeros(4), 1e-5))
