# points: 3.5
# message: queries and keys have a gain each


def parameters(card):
    d, n, d_k = card["hidden_size"], card["num_hidden_layers"], card["head_dim"]
    H, G = card["num_attention_heads"], card["num_key_value_heads"]
    return {
        "attention": n * 2 * d * d_k * (H + G),
        "feed-forward": n * 3 * d * card["intermediate_size"],
        "norms": n * (2 * d + d_k * card["qk_norm"]) + d,
        "embeddings": (2 - card["tie_word_embeddings"]) * card["vocab_size"] * d,
    }


def cache_bytes(card, n_tokens, bytes_each):
    return (
        2 * card["num_hidden_layers"] * card["num_key_value_heads"] * card["head_dim"] * n_tokens * bytes_each
    )
