def rotary_scores(queries, keys, query_positions, key_positions, base):
    half = queries.shape[-1] // 2
    speeds = 1 / base ** (torch.arange(half) / half)

    def hands(x, positions):
        return torch.complex(x[..., :half], x[..., half:]) * torch.exp(1j * torch.outer(positions, speeds))

    product = hands(queries, query_positions) @ hands(keys, key_positions).mH
    return product.real / (2 * half) ** 0.5
