def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]

    def turn(x, positions):
        y = x.clone()
        for row, position in enumerate(positions.tolist()):
            for c in range(d // 2):
                theta = torch.tensor(position / base ** (2 * c / d))
                a, b = x[..., row, c], x[..., row, c + d // 2]
                y[..., row, c] = a * torch.cos(theta) - b * torch.sin(theta)
                y[..., row, c + d // 2] = a * torch.sin(theta) + b * torch.cos(theta)
        return y

    q, k = turn(queries, query_positions), turn(keys, key_positions)
    return (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / d**0.5
