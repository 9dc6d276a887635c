def shift_matrix(delta, frequencies):
    turned = torch.polar(torch.ones(len(frequencies), dtype=torch.float64), torch.tensor(delta * frequencies))
    top = torch.cat([turned.real.diag(), -turned.imag.diag()], dim=1)
    below = torch.cat([turned.imag.diag(), turned.real.diag()], dim=1)
    return torch.cat([top, below])
