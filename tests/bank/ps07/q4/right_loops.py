def layer_norm(x, g, h, eps):
    rows = []
    for word in x.reshape(-1, x.shape[-1]):
        entries = word.tolist()
        mean = sum(entries) / len(entries)
        variance = sum((entry - mean) ** 2 for entry in entries) / len(entries)
        rows.append(torch.tensor([(entry - mean) / (variance + eps) ** 0.5 for entry in entries]))
    return torch.stack(rows).reshape(x.shape) * g + h
