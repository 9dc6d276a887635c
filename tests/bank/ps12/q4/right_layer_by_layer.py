def parameters(card):
    counts = dict.fromkeys(["attention", "feed-forward", "norms", "embeddings"], 0)
    d, d_k = card["hidden_size"], card["head_dim"]
    for _ in range(card["num_hidden_layers"]):
        for heads in (card["num_attention_heads"], card["num_key_value_heads"]):
            counts["attention"] += d * heads * d_k + heads * d_k * d
        for rows, columns in (
            (card["intermediate_size"], d),
            (card["intermediate_size"], d),
            (d, card["intermediate_size"]),
        ):
            counts["feed-forward"] += rows * columns
        counts["norms"] += d + d
        if card["qk_norm"]:
            counts["norms"] += d_k + d_k
    counts["norms"] += d
    counts["embeddings"] += card["vocab_size"] * d
    if not card["tie_word_embeddings"]:
        counts["embeddings"] += card["vocab_size"] * d
    return counts


def cache_bytes(card, n_tokens, bytes_each):
    numbers = 0
    for _ in range(card["num_hidden_layers"]):
        numbers += card["num_key_value_heads"] * card["head_dim"] * 2
    return numbers * n_tokens * bytes_each
