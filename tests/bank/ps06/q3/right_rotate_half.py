def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.size(-1)
    speeds = base ** (-torch.arange(0, d, 2).float() / d)
    both = torch.cat([speeds, speeds])

    def turn(x, positions):
        theta = positions.float().unsqueeze(-1) * both
        a, b = x.chunk(2, dim=-1)
        return x * theta.cos() + torch.cat([-b, a], dim=-1) * theta.sin()

    return torch.einsum(
        "...id,...jd->...ij", turn(queries, query_positions), turn(keys, key_positions) * d**-0.5
    )
