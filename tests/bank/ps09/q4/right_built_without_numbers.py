def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    def numbers(*modules):
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    with torch.device("meta"):
        wide, narrow = nn.Linear(d, d, bias=False), nn.Linear(d, n_groups * d // n_heads, bias=False)
        network = nn.Sequential(nn.Linear(d, d_ff), nn.Linear(d_ff, d))
        norm = nn.LayerNorm(d, bias=False)
        table, places = nn.Embedding(n_vocab, d), nn.Embedding(max_length, d)
    return {
        "attention": (n_encoder + 2 * n_decoder) * numbers(wide, narrow, narrow, wide),
        "feed-forward": (n_encoder + n_decoder) * numbers(network),
        "norms": (2 * (n_encoder + 1) + 3 * n_decoder) * numbers(norm),
        "embeddings": numbers(*[table] * (1 if tied else 3), places, places),
    }
