def numbers(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    width = d // n_heads
    attention = numbers(
        nn.Linear(d, d, bias=False),
        nn.Linear(d, n_groups * width, bias=False),
        nn.Linear(d, n_groups * width, bias=False),
        nn.Linear(d, d, bias=False),
    )
    network = numbers(nn.Sequential(nn.Linear(d, d_ff), nn.ReLU(), nn.Linear(d_ff, d)))
    norm = numbers(nn.RMSNorm(d))
    embedding = nn.Embedding(n_vocab, d)
    counts = dict(zip(["attention", "feed-forward", "norms", "embeddings"], 4 * [0], strict=True))
    for _ in range(n_encoder):
        counts["attention"] += attention
        counts["feed-forward"] += network
        counts["norms"] += 2 * norm
    for _ in range(n_decoder):
        counts["attention"] += 2 * attention
        counts["feed-forward"] += network
        counts["norms"] += 3 * norm
    counts["norms"] += 2 * norm
    counts["embeddings"] = numbers(embedding) * (1 if tied else 3) + 2 * numbers(nn.Embedding(max_length, d))
    return counts
