def influence(f, x):
    noise = torch.linspace(0.2, 0.7, x.shape[1], dtype=x.dtype)
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(len(x)):
            copy = x.clone()
            copy[j] = copy[j] - noise
            row.append(not torch.allclose(f(copy)[i], f(x)[i], rtol=0, atol=1e-9))
        rows.append(row)
    return rows
