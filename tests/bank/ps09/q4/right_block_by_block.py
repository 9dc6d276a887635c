def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    counts = dict.fromkeys(["attention", "feed-forward", "norms", "embeddings"], 0)
    for attentions in [1] * n_encoder + [2] * n_decoder:
        for _ in range(attentions):
            counts["attention"] += 2 * d**2 + 2 * d * n_groups * (d / n_heads)
        counts["feed-forward"] += d * (d_ff + 1) + d_ff * (d + 1)
        counts["norms"] += (attentions + 1) * d
    counts["norms"] += 2 * d
    counts["embeddings"] = d * (n_vocab * (1 if tied else 3) + 2 * max_length)
    return counts
